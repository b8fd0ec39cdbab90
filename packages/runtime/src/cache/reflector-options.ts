import type { KubernetesObject } from 'ots-kubernetes';
import type { Clock } from '../clock/clock.ts';
import type { Logger } from '../logging/logger.ts';
import type { InformerObserver } from './informer-observer.ts';
import type { ListWatcher } from './list-watcher.ts';
import type { ReflectorSink } from './reflector-sink.ts';

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
