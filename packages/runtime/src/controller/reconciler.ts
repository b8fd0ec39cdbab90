import type { Duration } from 'ots-kubernetes';
import type { Logger } from '../logging/logger.ts';

/** Names the object to reconcile. Says nothing of what happened to it: read its present state. */
export interface Request {
  /** Of the object. */
  name: string;
  /** Absent for cluster-scoped kinds. */
  namespace?: string | undefined;
}

/** What a run wants to happen next. An error is thrown instead, and retried with a growing delay. */
export interface Result {
  /**
   * Run again after this time even if nothing changes: `'30s'`, `'5m'`, or milliseconds; 0 is the same as absent. An
   * event that comes earlier runs the object then, and absorbs this: whoever wants a steady rhythm returns it from
   * every run.
   */
  requeueAfter?: Duration | number | undefined;
  /** The priority of the run that `requeueAfter` asks for; that of this run by default. Higher runs earlier. */
  priority?: number | undefined;
}

/** What a run knows beside its request. */
export interface ReconcileContext {
  /**
   * Aborts when the run is to end; `signal.reason` says why: the manager stops, it has lost the leadership, or the run
   * exceeded its `reconcileTimeout` (a ReconcileTimeoutError). Calls of the client use it by default; pass it on to
   * whatever else waits.
   */
  readonly signal: AbortSignal;
  /** Carries the controller, the object's namespace and name, and the id of the run. */
  readonly logger: Logger;
  /** 1 for the first run since the last one that did not fail, or failed for good. */
  readonly attempt: number;
  /** What the previous attempt threw; absent on the first. */
  readonly lastError?: unknown;
  /** Unique to the run. */
  readonly reconcileId: string;
}

/** Makes the world look like what an object asks for. Runs of one object never overlap. */
export interface Reconciler {
  /**
   * Reads the present state of the object that the request names, and brings what depends on it to what it asks for.
   * What it throws is logged, and the run is tried again with a growing delay; see TerminalError and `isConflict` for
   * the exceptions.
   */
  reconcile(request: Request, context: ReconcileContext): Promise<Result | void>;
}
