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
  /**
   * Told of every write that the server refuses because the object has changed since it was read, or is gone.
   * @param awaitNews calls back when readers will see more of the object than the writer did; returns undefined if they do already.
   */
  overtaken?(awaitNews: AwaitNews): void;
  /**
   * Told of every request to the API server that the work makes.
   * @returns what wants to know how it ends, if anything does.
   */
  requested?(request: WorkRequest): RequestTrace | undefined;
  /** Told of every read from a cache: of one object, or of those of a namespace or of all. */
  readCache?(verb: 'get' | 'list', kind: Kind, key: WorkKey): void;
  /** Told of every event for users that the work records. */
  announced?(event: WorkEvent): void;
  /**
   * Receives the errors of rejected promises that the work started and did not await. Without it, Node ends the process
   * at such a rejection. Has an effect while `containRejections` is in force.
   */
  readonly onStrayRejection?: ((error: unknown) => void) | undefined;
}

/** Calls the listener once, when something new is known; see `WorkContext.overtaken`. */
export type AwaitNews = (listener: () => void) => Disposable | undefined;

/** A request of the work to the API server, as the transport sends it. */
export interface WorkRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
  readonly body?: unknown;
  readonly contentType?: string | undefined;
}

/** Names one object, those of a namespace, or all. */
export interface WorkKey {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** An event for users, without its text. */
export interface WorkEvent {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly apiVersion: string | undefined;
  readonly kind: string | undefined;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  /** The Event on the server. Its repetitions share it; undefined for one that is dropped. */
  readonly event: { readonly namespace: string; readonly name: string } | undefined;
}

/** Follows one request. */
export interface RequestTrace {
  /** The server responded; not for the last time if the request is repeated. */
  responded(status: number): void;
  /** The request is over; with the error if it failed. */
  ended(error?: unknown): void;
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
