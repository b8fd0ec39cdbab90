import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Cache } from '../cache/cache.ts';
import type { InformerHandler } from '../cache/informer-handler.ts';
import { lowPriority } from '../queue/low-priority.ts';
import { EventMapper } from './event-mapper.ts';
import type { MapFunction } from './map-function.ts';
import type { Predicate } from './predicate.ts';
import type { Source, SourceContext } from './source.ts';

/** How a kind is watched. */
export interface WatchOptions<T extends KubernetesObject> {
  /** All of them must pass for an event to reach the controller. */
  predicates?: readonly Predicate<T>[] | undefined;
  /**
   * The priority of the requests; 0 by default. What is there when the watch begins, and what a resync reports, has
   * `lowPriority` at most.
   */
  priority?: number | undefined;
}

/**
 * The objects of a kind, mapped to requests. For watches of a controller that runs, and for the caches of other
 * clusters: `controller.watch(kindSource(cache, ConfigMap, map))`. A builder makes those of its own.
 */
export function kindSource<T extends KubernetesObject>(
  cache: Pick<Cache, 'informer'>,
  kind: Kind<T>,
  map: MapFunction<T>,
  options: WatchOptions<T> = {},
): Source {
  return {
    name: kind.kind,
    async start(context) {
      const mapper = new EventMapper(map, context);
      const registration = cache.informer(kind).addHandler(handlerOf(mapper, options, context));
      context.signal.addEventListener('abort', () => registration[Symbol.dispose](), { once: true });
      if (context.signal.aborted) registration[Symbol.dispose]();
      await registration.synced;
      await mapper.settled();
    },
  };
}

function handlerOf<T extends KubernetesObject>(
  mapper: EventMapper<T>,
  { predicates = [], priority = 0 }: WatchOptions<T>,
  { logger }: SourceContext,
): InformerHandler<T> {
  const low = Math.min(priority, lowPriority);
  /** A run too many does no harm; an event that is lost does. */
  const passes = (test: (predicate: Predicate<T>) => boolean | undefined): boolean =>
    predicates.every((predicate) => {
      try {
        return test(predicate) ?? true;
      } catch (error) {
        logger.error({ err: error }, 'a predicate failed; the event passes');
        return true;
      }
    });
  return {
    added: (object, { isInitial }) => {
      if (passes((predicate) => predicate.create?.(object)))
        mapper.take([object], isInitial ? low : priority);
    },
    updated: (oldObject, object) => {
      const isResync = oldObject.metadata.resourceVersion === object.metadata.resourceVersion;
      // An object that moves from one owner to another concerns both.
      if (passes((predicate) => predicate.update?.(oldObject, object)))
        mapper.take([oldObject, object], isResync ? low : priority);
    },
    deleted: (object, details) => {
      if (passes((predicate) => predicate.delete?.(object, details))) mapper.take([object], priority);
    },
  };
}
