import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { UsageError } from '../errors/usage-error.ts';
import { checkPriority } from '../queue/priority.ts';
import type { Request } from './reconciler.ts';
import { requestOf } from './map-function.ts';
import type { EnqueueOptions } from './source.ts';

/** A validated request: the caller may be JavaScript, or have used a cast. */
export interface CheckedRequest {
  /** A copy: later changes by the caller do not affect the queue. */
  request: Request;
  /** In milliseconds. */
  after: number;
  priority: number;
}

/**
 * An empty cluster is the manager's own, as an absent one.
 * @throws {UsageError} if the request has no name, the delay is not a duration, or the priority is not a number.
 */
export function readRequest(
  request: Request,
  { after = 0, priority = 0 }: EnqueueOptions = {},
): CheckedRequest {
  if (typeof request.name !== 'string' || request.name === '')
    throw new UsageError('A request has no name', 'Set its name to that of an object.');
  checkPriority(priority);
  const { cluster } = request;
  const named = requestOf(request);
  return { request: cluster ? { ...named, cluster } : named, after: toMilliseconds(after), priority };
}
