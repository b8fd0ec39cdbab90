/** How a reconcile ended. `requeue` means an error that does not count as a failure: a conflict, which is retried. */
export type Outcome = 'success' | 'error' | 'requeue' | 'requeue_after';

/** Observes one controller, for metrics. */
export interface ReconcileObserver {
  /** A worker took a request. */
  started(): void;
  /** The reconcile ended after `seconds`; the worker is free. */
  finished(outcome: Outcome, seconds: number): void;
  /** A reconcile of a hot loop starts: only the writes of the previous reconciles requested it. */
  looped(): void;
  /**
   * A reconcile failed; `kind` says how. `timeout` comes in addition to how it ended, and `panic` for each rejected
   * promise that it did not await.
   */
  failed(kind: 'error' | 'terminal' | 'panic' | 'timeout' | 'conflict'): void;
}
