export { setNetworkClock } from '../clock/network-clock.ts';
export { attachDebugger, queueSnapshots } from './attach-debugger.ts';
export type { QueueItem, QueueSnapshot } from './queue-snapshot.ts';
export type {
  DoneResult,
  FailedResult,
  InterruptedResult,
  PendingReconcile,
  ReconcileRecord,
  ReconcileResult,
  RecordedEvent,
  RequestKey,
  RequestRecord,
  RequeueResult,
  StartedReconcile,
} from './reconcile-record.ts';
export type { Debugger } from './registry.ts';
export { reasonText } from '../reasons/reason-text.ts';
