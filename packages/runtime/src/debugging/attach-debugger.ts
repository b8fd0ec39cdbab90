import { type RequestObserver, requestObservers } from '../context/request-observers.ts';
import type { QueueSnapshot } from './queue-snapshot.ts';
import { type Attachment, type Debugger, registry } from './registry.ts';
import { traceRequest } from './trace-request.ts';

/**
 * Observes all reconciles and requests of this process from now on, of every manager. For tools, not for operators. While no debugger
 * is attached, nothing is recorded.
 * @returns a function that detaches the debugger and admits what it holds. A second call does nothing.
 */
export function attachDebugger(observer: Debugger): () => void {
  const attachment: Attachment = { debugger: observer, holds: new Set() };
  const onRequest: RequestObserver = (request, now) =>
    traceRequest(request, now, (record) => {
      // A debugger that fails must not fail the operator.
      try {
        observer.requested?.(record);
      } catch (error) {
        process.emitWarning(error instanceof Error ? error : String(error));
      }
    });
  registry.attached.add(attachment);
  if (observer.requested) requestObservers.add(onRequest);
  return () => {
    registry.attached.delete(attachment);
    requestObservers.delete(onRequest);
    for (const release of attachment.holds) release();
  };
}

/** What the queues of all running controllers of this process have now. */
export function queueSnapshots(): QueueSnapshot[] {
  return [...registry.controllers].map((controller) => controller.inspect());
}
