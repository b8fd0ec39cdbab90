import type { QueueSnapshot } from './queue-snapshot.ts';
import { type Attachment, type Debugger, registry } from './registry.ts';

/**
 * Observes all reconciles of this process from now on, of every manager. For tools, not for operators. While no debugger
 * is attached, nothing is recorded.
 * @returns a function that detaches the debugger and admits what it holds. A second call does nothing.
 */
export function attachDebugger(observer: Debugger): () => void {
  const attachment: Attachment = { debugger: observer, holds: new Set() };
  registry.attached.add(attachment);
  return () => {
    registry.attached.delete(attachment);
    for (const release of attachment.holds) release();
  };
}

/** What the queues of all running controllers of this process have now. */
export function queueSnapshots(): QueueSnapshot[] {
  return [...registry.controllers].map((controller) => controller.inspect());
}
