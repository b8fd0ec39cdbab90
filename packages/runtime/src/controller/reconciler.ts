import type { Duration } from 'ots-kubernetes';
import type { Logger } from '../logging/logger.ts';
import type { ReconcileReason } from '../reasons/reason.ts';

/** Names the object to reconcile. It does not say what happened to the object: read its current state. */
export interface Request {
  /** Of the object. */
  name: string;
  /** Absent for cluster-scoped kinds. */
  namespace?: string | undefined;
  /** The name of the cluster, for `clusters.get`; absent for the manager's own. See `Clusters`. */
  cluster?: string | undefined;
}

/** What should happen after a reconcile. To report an error, throw it: it is retried with a growing delay. */
export interface Result {
  /**
   * Reconcile again after this time even if nothing changes: `'30s'`, `'5m'`, or milliseconds; 0 is the same as absent.
   * An earlier event replaces this request. To run periodically, return it from every reconcile.
   */
  requeueAfter?: Duration | number | undefined;
  /**
   * The priority of the reconcile that `requeueAfter` requests; that of this reconcile by default. A higher priority
   * runs earlier.
   */
  priority?: number | undefined;
}

/** The context of a reconcile. */
export interface ReconcileContext {
  /**
   * Aborts when the reconcile must end. `signal.reason` says why: the manager stops, it has lost leadership, or the
   * reconcile exceeded its `reconcileTimeout` (a ReconcileTimeoutError). Client calls use it by default; pass it to
   * everything else that waits.
   */
  readonly signal: AbortSignal;
  /** Logs with the controller, the object's namespace and name, and the id of the reconcile. */
  readonly logger: Logger;
  /** 1 for the first reconcile since the last one that succeeded or failed with a terminal error. */
  readonly attempt: number;
  /** What the previous attempt threw; absent on the first. */
  readonly lastError?: unknown;
  /** Unique to the reconcile. */
  readonly reconcileId: string;
  /**
   * Why it runs, in the order in which it was asked for: the events, timers and calls that the queue has merged into
   * this reconcile. For logs and tools: read the current state to decide what to do. The first access compares the
   * states of the objects; reasons that no code reads cost nothing.
   */
  readonly reasons: readonly ReconcileReason[];
}

/** Makes the actual state match what an object specifies. Reconciles of one object never overlap. */
export interface Reconciler {
  /**
   * Reads the current state of the object that the request names and updates everything that depends on it. If it
   * throws, the error is logged and the reconcile is retried with a growing delay; TerminalError and conflicts
   * (`isConflict`) are exceptions.
   */
  reconcile(request: Request, context: ReconcileContext): Promise<Result | void>;
}
