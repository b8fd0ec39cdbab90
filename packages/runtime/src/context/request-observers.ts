import type { Clock } from 'ots-apimachinery/clock/clock';
import type { RequestTrace, WorkRequest } from './work-context.ts';

/**
 * Follows a request, whatever work it belongs to.
 * @param now the time in milliseconds.
 */
export type RequestObserver = (request: WorkRequest, now: () => number) => RequestTrace;

/** One set for all copies of this package in a process: that of a tool may be another one than that of the operator. */
const key = Symbol.for('ots-runtime.requests.1');
const shared = globalThis as { [key]?: Set<RequestObserver> };

/** Those of this process. */
export const requestObservers: Set<RequestObserver> = (shared[key] ??= new Set());

/**
 * Follows a request for all observers of this process.
 * @param trace that of the work which makes the request, if it has one.
 * @param clock measures the request.
 * @returns the trace of all of them; that of the work while there is no observer.
 */
export function observeRequest(
  request: WorkRequest,
  trace: RequestTrace | undefined,
  clock: Clock,
): RequestTrace | undefined {
  if (requestObservers.size === 0) return trace;
  const traces = [...requestObservers].map((observer) => observer(request, () => clock.now()));
  if (trace) traces.unshift(trace);
  return {
    responded: (status) => {
      for (const each of traces) each.responded(status);
    },
    ended: (error) => {
      for (const each of traces) each.ended(error);
    },
  };
}
