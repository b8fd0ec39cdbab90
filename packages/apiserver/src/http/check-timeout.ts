import { durationProblem } from '../objects/duration-problem.ts';
import { badRequest } from '../status/errors.ts';

/**
 * Checks the timeout that a client states. Answers are immediate, so it has no other effect.
 *
 * @throws {StatusError} 400 for a value that is not a Go duration
 */
export function checkTimeout(query: URLSearchParams): void {
  const timeout = query.get('timeout') ?? '';
  const problem = timeout === '' ? undefined : durationProblem(timeout);
  if (problem === undefined) return;
  throw badRequest(`invalid timeout specified in the request URL - ${problem}`);
}
