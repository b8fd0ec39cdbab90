import { parseDuration } from 'ots-apimachinery/duration';
import { badRequest } from '../status/errors.ts';

/**
 * Checks the timeout that a client states. Answers are immediate, so it has no other effect.
 *
 * @throws {StatusError} 400 for a value that is not a Go duration
 */
export function checkTimeout(query: URLSearchParams): void {
  const timeout = query.get('timeout') ?? '';
  if (timeout === '') return;
  const parsed = parseDuration(timeout);
  if (typeof parsed === 'string')
    throw badRequest(`invalid timeout specified in the request URL - ${parsed}`);
}
