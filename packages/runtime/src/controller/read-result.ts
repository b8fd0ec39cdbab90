import { toMilliseconds } from '../duration/to-milliseconds.ts';
import { UsageError } from '../errors/usage-error.ts';
import { checkPriority } from '../queue/priority.ts';
import type { Result } from './reconciler.ts';

/** A validated result: the reconciler may be JavaScript, or have used a cast. */
export interface CheckedResult {
  /** In milliseconds; 0 for no other reconcile. */
  requeueAfter: number;
  priority: number | undefined;
}

const nothing: CheckedResult = { requeueAfter: 0, priority: undefined };

/** @throws {UsageError} if it is not a result, or its durations or numbers are invalid. */
export function readResult(result: unknown): CheckedResult {
  if (result === undefined || result === null) return nothing;
  if (typeof result !== 'object' || Array.isArray(result)) {
    throw new UsageError(
      `The reconciler returned ${typeof result === 'object' ? 'a list' : `a ${typeof result}`}`,
      "Return nothing, or an object such as { requeueAfter: '30s' }.",
    );
  }
  const { requeueAfter = 0, priority } = result as Result;
  if (priority !== undefined) checkPriority(priority);
  return { requeueAfter: toMilliseconds(requeueAfter), priority };
}
