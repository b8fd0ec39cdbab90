import type { KubernetesObject } from 'ots-kubernetes';
import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Logger } from '../logging/logger.ts';
import type { InformerObserver } from './informer-observer.ts';
import type { ListWatcher } from './list-watcher.ts';
import type { SelectedNamespace } from './namespace-feed.ts';

/** Receives what a reflector learns about one collection. */
export interface ReflectorSink<T extends KubernetesObject> {
  /** Prepares an object that the server sent for the store. It may be called more than once for one version. */
  prepare(object: T): T;
  /** The whole state, after every list, in prepared objects. */
  replaced(objects: T[], resourceVersion: string): Promise<void>;
  /** One event of the watch that follows: a prepared object, in its final state when it was deleted. */
  changed(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void;
  /** Nothing more happened up to this version. */
  reached(resourceVersion: string): void;
  /**
   * The collection does not exist, as when the CRD is not installed or gone.
   * @param milliseconds for how long this has been known
   * @param signal aborts when the result no longer matters
   */
  absent(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** A list or a watch has failed. It is tried again. */
  failed(): void;
}

export interface ReflectorOptions<T extends KubernetesObject> {
  source: ListWatcher<T>;
  sink: ReflectorSink<T>;
  clock: Clock;
  logger: Logger;
  /** Observes lists, events and interruptions. */
  observer?: InformerObserver | undefined;
  /** The namespace if it was selected at run time. */
  selected?: SelectedNamespace | undefined;
  /** Reads the initial state as a stream of events (WatchList) if the server supports it, and lists otherwise. */
  watchList?: boolean | undefined;
  /** A number in [0, 1); `Math.random` by default. */
  random?: (() => number) | undefined;
}
