/** How a run ended. `requeue` is a run whose error is no failure: a conflict, which is tried again. */
export type Outcome = 'success' | 'error' | 'requeue' | 'requeue_after';

/** Told of what happens in one controller, for metrics. */
export interface ReconcileObserver {
  /** A worker took a request. */
  started(): void;
  /** The run ended after `seconds`; the worker is free. */
  finished(outcome: Outcome, seconds: number): void;
  /** A run of a hot loop begins: nothing but the writes of the runs before it asked for it. */
  looped(): void;
  /**
   * A run failed; `kind` says how: `timeout` in addition to how it ended, and `panic` for each promise that it left
   * behind and that was rejected with nobody to see it.
   */
  failed(kind: 'error' | 'terminal' | 'panic' | 'timeout' | 'conflict'): void;
}
