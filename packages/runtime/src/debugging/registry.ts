import type {
  PendingReconcile,
  ReconcileRecord,
  RequestRecord,
  StartedReconcile,
} from './reconcile-record.ts';
import type { QueueSnapshot } from './queue-snapshot.ts';

/** What a tool receives about the reconciles and requests of a process, and how it pauses them. What it throws is logged. */
export interface Debugger {
  /** A reconcile has started. */
  started?(record: StartedReconcile): void;
  /** A reconcile has ended. Not called for those that had started before the debugger was attached. */
  ended?(record: ReconcileRecord): void;
  /** A request to the API server is over, inside a reconcile or not; or a watch has begun, or was refused. */
  requested?(record: RequestRecord): void;
  /**
   * Called before a reconcile starts. It starts at once if this returns undefined, and otherwise when the promise settles.
   * Until then the object is held, with all that happens to it, and does not occupy a worker. A stop of the manager
   * forgets what is held.
   */
  admit?(entry: PendingReconcile): Promise<void> | undefined;
}

/** A debugger, and what it holds. */
export interface Attachment {
  readonly debugger: Debugger;
  /** Each ends the hold of one object. */
  readonly holds: Set<() => void>;
}

interface Registry {
  readonly attached: Set<Attachment>;
  /** The controllers that run. */
  readonly controllers: Set<{ inspect(): QueueSnapshot }>;
}

/** One for all copies of this package in a process: that of a tool may be another one than that of the operator. */
const key = Symbol.for('ots-runtime.debugging.1');
const shared = globalThis as { [key]?: Registry };

export const registry: Registry = (shared[key] ??= { attached: new Set(), controllers: new Set() });
