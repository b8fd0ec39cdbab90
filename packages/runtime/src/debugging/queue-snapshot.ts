import type { ReconcileReason } from '../reasons/reason.ts';
import type { RequestKey } from './reconcile-record.ts';

/** What the queue of a controller has at one moment. */
export interface QueueSnapshot {
  /** The name of the controller. */
  controller: string;
  /** That of the objects that it reconciles; absent for a controller without `for`. */
  kind?: string | undefined;
  /** What is held comes first, then what runs, what waits in line, and what waits for a time. At most 1000. */
  items: readonly QueueItem[];
  /** How many more items there are. */
  omitted: number;
}

/** An object in the queue. One that runs and is to run again is there twice. */
export interface QueueItem extends RequestKey {
  /**
   * - `held`: a debugger has not admitted it yet.
   * - `running`: a worker reconciles it.
   * - `waiting`: it waits for a worker, or for the end of its running reconcile.
   * - `backoff`: its last reconcile failed, and it waits for the retry.
   * - `requeue`: its last reconcile returned `requeueAfter`.
   * - `delayed`: a source asked for a later time.
   */
  state: 'held' | 'running' | 'waiting' | 'backoff' | 'requeue' | 'delayed';
  /** When this state began, as RFC 3339 with milliseconds; absent for `backoff`, `requeue` and `delayed`. */
  since?: string | undefined;
  /** When it will wait in line; only for `backoff`, `requeue` and `delayed`. */
  until?: string | undefined;
  /** How many attempts have failed; only for `backoff`. */
  attempts?: number | undefined;
  /** Higher is reconciled earlier. */
  priority: number;
  /** The id of the reconcile; only for `running`. */
  id?: string | undefined;
  /** Why it runs or will run: paths and versions, never values. */
  reasons: readonly ReconcileReason[];
}
