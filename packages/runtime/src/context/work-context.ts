import { AsyncLocalStorage } from 'node:async_hooks';
import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import type { Kind, KubernetesObject } from 'ots-kubernetes';

/**
 * The context of a piece of work, such as one reconcile. It follows the work through every `await`, so that a call
 * which forgets to pass a signal on is stopped all the same.
 */
export interface WorkContext {
  /** Aborts when the work must end. The default signal of client calls. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Throws if the work must no longer write, for example after the loss of leadership. Called right before a write
   * leaves.
   */
  readonly fence?: (() => void) | undefined;
  /** The clock of the work; the system's by default. */
  readonly clock?: Clock | undefined;
  /** Who does the work, for errors: the class of a reconciler. */
  readonly author?: string | undefined;
  /** Called with every object that the work has written, as the server stored it. */
  wrote?(kind: Kind, subresource: string | undefined, object: KubernetesObject): void;
  /** Told of every request to the API server that the work makes. */
  requested?(): void;
  /**
   * Receives the errors of rejected promises that the work started and did not await. Without it, Node ends the process
   * at such a rejection. Has an effect while `containRejections` is in force.
   */
  readonly onStrayRejection?: ((error: unknown) => void) | undefined;
}

const storage = new AsyncLocalStorage<WorkContext>();

/** The context of the calling code; undefined outside of any work. */
export function currentWork(): WorkContext | undefined {
  return storage.getStore();
}

/** The time of day of the calling code, in milliseconds since 1970: in a reconcile that of the manager's clock. */
export function currentEpoch(): number {
  return (currentWork()?.clock ?? systemClock).epoch();
}

/** Runs `work`, and all that it starts, under the context. */
export function runInContext<T>(context: WorkContext, work: () => T): T {
  return storage.run(context, work);
}
