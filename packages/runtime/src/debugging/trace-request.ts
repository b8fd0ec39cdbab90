import type { RequestTrace, WorkRequest } from '../context/work-context.ts';
import { isApiError, isConflict } from '../errors/api-error.ts';
import { missingRule } from '../errors/missing-rule.ts';
import type { RequestRecord } from './reconcile-record.ts';
import { targetOf } from './request-target.ts';

/**
 * Follows a request to the server until it is over. Neither its body nor that of the response is kept.
 * @param now the time in milliseconds.
 * @param onEnd receives what is known of it then.
 */
export function traceRequest(
  request: WorkRequest,
  now: () => number,
  onEnd: (record: RequestRecord) => void,
): RequestTrace {
  const startedAt = now();
  const target = targetOf(request);
  let status: number | undefined;
  return {
    responded: (code) => (status = code),
    ended: (error) => {
      onEnd({
        ...target,
        from: 'live',
        ...(status !== undefined && { status }),
        conflict: isConflict(error),
        ...(isDenied(error) && { denied: true }),
        durationSeconds: (now() - startedAt) / 1000,
      });
    },
  };
}

function isDenied(error: unknown): boolean {
  return isApiError(error) && error.status === 403 && missingRule(error.message) !== undefined;
}
