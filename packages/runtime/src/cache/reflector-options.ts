import type { KubernetesObject } from 'ots-kubernetes';
import type { Clock } from '../clock/clock.ts';
import type { Logger } from '../logging/logger.ts';
import type { InformerObserver } from './informer-observer.ts';
import type { ListWatcher } from './list-watcher.ts';

/** Where a reflector puts what it learns of one collection. */
export interface ReflectorSink<T extends KubernetesObject> {
  /** Makes an object that the server sent ready for keeping. It may be called more than once for one version. */
  prepare(object: T): T;
  /** The whole state, after every list, in prepared objects. */
  replaced(objects: T[], resourceVersion: string): Promise<void>;
  /** One event of the watch that follows: a prepared object, in its final state when it was deleted. */
  changed(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: T): void;
  /** Nothing more happened up to this version. */
  reached(resourceVersion: string): void;
  /**
   * The collection does not exist, as when the CRD is not installed or gone.
   * @param milliseconds for how long that has been known
   * @param signal aborts when nobody needs to know any more
   */
  absent(milliseconds: number, signal: AbortSignal): Promise<void>;
}

export interface ReflectorOptions<T extends KubernetesObject> {
  source: ListWatcher<T>;
  sink: ReflectorSink<T>;
  clock: Clock;
  logger: Logger;
  /** Told of lists, events and interruptions. */
  observer?: InformerObserver | undefined;
  /** Gets the first state as a stream of events (WatchList) where the server can, and lists where it cannot. */
  watchList?: boolean | undefined;
  /** A number in [0, 1); `Math.random` by default. */
  random?: (() => number) | undefined;
}
