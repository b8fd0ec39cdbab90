import type { RequestRecord } from 'ots-runtime/debugging';
import type { QueueState, ReconcileState } from '../model/dev-state.ts';
import type { ReconciledObject } from '../model/dev-action.ts';

/** What the operator's process reports to `ots dev`. */
export type FromOperator =
  /** It has loaded what all operators need and waits for `run`. */
  | { readonly type: 'waiting' }
  | { readonly type: 'reconcile'; readonly reconcile: ReconcileState }
  | { readonly type: 'queues'; readonly queues: readonly QueueState[] }
  /** A request to an API server that does not report it itself. */
  | { readonly type: 'request'; readonly request: RequestRecord };

/** What `ots dev` tells the operator's process. */
export type ToOperator =
  | { readonly type: 'run'; readonly reportsRequests: boolean }
  /** Moves its clock ahead. */
  | { readonly type: 'advance'; readonly milliseconds: number }
  | { readonly type: 'pause' | 'resume' | 'step'; readonly object?: ReconciledObject };
