import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { UsageError } from '../errors/usage-error.ts';
import { checkPriority } from '../queue/priority.ts';
import type { Request } from './reconciler.ts';
import { requestOf } from './map-function.ts';
import type { EnqueueOptions } from './source.ts';

/** What a caller asked for, checked: it may be JavaScript, or have been cast. */
export interface CheckedRequest {
  /** A copy, so that nothing that the caller holds or changes stays in the queue. */
  request: Request;
  /** In milliseconds. */
  after: number;
  priority: number;
}

/** @throws {UsageError} when the request has no name, the delay is no duration, or the priority no number. */
export function readRequest(
  request: Request,
  { after = 0, priority = 0 }: EnqueueOptions = {},
): CheckedRequest {
  if (typeof request.name !== 'string' || request.name === '')
    throw new UsageError('a request has no name', 'Name the object that it is for.');
  checkPriority(priority);
  return { request: requestOf(request), after: toMilliseconds(after), priority };
}
