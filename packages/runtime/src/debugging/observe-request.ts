import type { RequestTrace, WorkRequest } from '../context/work-context.ts';
import { registry } from './registry.ts';
import { traceRequest } from './trace-request.ts';

/**
 * Follows a request for the debuggers of this process, beside the work that it belongs to.
 * @param trace that of the work.
 * @param now the time in milliseconds.
 * @returns the trace of both; that of the work alone while no debugger wants to know.
 */
export function observeRequest(
  request: WorkRequest,
  trace: RequestTrace | undefined,
  now: () => number,
): RequestTrace | undefined {
  const observers = [...registry.attached].filter(({ debugger: each }) => each.requested);
  if (observers.length === 0) return trace;
  const own = traceRequest(request, now, (record) => {
    for (const { debugger: each } of observers) contain(() => each.requested?.(record));
  });
  return {
    responded: (status) => {
      trace?.responded(status);
      own.responded(status);
    },
    ended: (error) => {
      trace?.ended(error);
      own.ended(error);
    },
  };
}

/** A debugger that fails must not fail the operator. The transport has no logger to tell. */
function contain(call: () => void): void {
  try {
    call();
  } catch (error) {
    process.emitWarning(error instanceof Error ? error : String(error));
  }
}
