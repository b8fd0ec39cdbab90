import { durationProblem } from '../objects/duration-problem.ts';
import { badRequest } from '../status/errors.ts';

/**
 * Checks how long a client says that it waits. Answers come at once, so nothing has to be done about it.
 *
 * @throws {StatusError} 400 for what is no duration of Go
 */
export function checkTimeout(query: URLSearchParams): void {
  const timeout = query.get('timeout') ?? '';
  const problem = timeout === '' ? undefined : durationProblem(timeout);
  if (problem === undefined) return;
  throw badRequest(`invalid timeout specified in the request URL - ${problem}`);
}
