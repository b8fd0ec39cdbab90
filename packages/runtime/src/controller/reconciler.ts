import type { Duration } from 'ots-kubernetes';
import type { Logger } from '../logging/logger.ts';

/** Names the object to reconcile. Says nothing of what happened to it: read its present state. */
export interface Request {
  name: string;
  /** Absent for cluster-scoped kinds. */
  namespace?: string | undefined;
}

/** What a run wants to happen next. An error is thrown instead, and retried with a growing delay. */
export interface Result {
  /** Run again after this time even if nothing changes: `'30s'`, `'5m'`, or milliseconds. */
  requeueAfter?: Duration | number | undefined;
}

export interface ReconcileContext {
  /** Aborts when the manager stops: pass it on to whatever waits. */
  signal: AbortSignal;
  /** Carries the controller, the object's namespace and name, and the id of the run. */
  logger: Logger;
  /** 1 for the first run since the last success. */
  attempt: number;
  /** What the previous attempt threw; absent on the first. */
  lastError?: unknown;
  /** Unique to the run. */
  reconcileId: string;
}

/** Makes the world look like what an object asks for. Runs of one object never overlap. */
export interface Reconciler {
  reconcile(request: Request, context: ReconcileContext): Promise<Result | void>;
}
