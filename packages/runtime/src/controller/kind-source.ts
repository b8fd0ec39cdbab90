import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { Cache } from '../cache/cache.ts';
import type { InformerHandler } from '../cache/informer-handler.ts';
import { UsageError } from '../errors/usage-error.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ObjectCause } from '../reasons/cause.ts';
import { checkPriority, lowPriority } from '../queue/priority.ts';
import { EventMapper } from './event-mapper.ts';
import { type MapFunction, requestOf } from './map-function.ts';
import type { Predicate } from './predicates.ts';
import type { Source, SourceContext } from './source.ts';

/** How a kind is watched. */
export interface WatchOptions<T extends KubernetesObject> {
  /** All of them must pass for an event to reach the controller. */
  predicates?: readonly Predicate<T>[] | undefined;
  /**
   * The priority of the requests; 0 by default. Objects that exist when the watch starts have at most `lowPriority`.
   */
  priority?: number | undefined;
}

/**
 * Maps the objects of a kind to requests. For watches of a running controller and for caches of other clusters:
 * `controller.watch(kindSource(cache, ConfigMap, map))`. A builder creates its own.
 * @throws {UsageError} if the priority is not a number.
 */
export function kindSource<T extends KubernetesObject>(
  cache: Pick<Cache, 'informer'>,
  kind: Kind<T>,
  map: MapFunction<T>,
  options: WatchOptions<T> = {},
): Source {
  return makeSource(cache, kind, map, options, undefined);
}

/**
 * Like `kindSource`, for the objects that requests name. Queues every object again when a kind that it owns appears on the server or
 * disappears: nothing else would notify its controller.
 */
export function primarySource<T extends KubernetesObject>(
  cache: Pick<Cache, 'informer'>,
  kind: Kind<T>,
  options: WatchOptions<T>,
  owned: readonly Kind[],
): Source {
  return makeSource(cache, kind, ({ metadata }) => [requestOf(metadata)], options, owned);
}

/** @param owned the kinds that a primary kind owns; undefined for another kind. */
function makeSource<T extends KubernetesObject>(
  cache: Pick<Cache, 'informer'>,
  kind: Kind<T>,
  map: MapFunction<T>,
  options: WatchOptions<T>,
  owned: readonly Kind[] | undefined,
): Source {
  if (options.priority !== undefined) checkPriority(options.priority);
  let mapper: EventMapper<T> | undefined;
  let requeue: Source['requeue'];
  const isPrimary = owned !== undefined;
  return {
    name: kind.kind,
    kind,
    isPrimary,
    requeue: (isWanted) => requeue?.(isWanted),
    isMapping: () => mapper?.isMapping ?? false,
    async start(context) {
      mapper = new EventMapper(map, context);
      const informer = cache.informer(kind);
      if (!isPrimary && informer.ownership) throw isDivided(kind);
      const handler = handlerOf(kind, mapper, options, context);
      const registration = informer.addHandler(handler);
      requeue = (isWanted) => {
        for (const object of informer.list()) {
          if (!isPrimary || isWanted(requestOf(object.metadata))) handler.exists('shard', object);
        }
      };
      const again = (): void => {
        for (const object of informer.list()) handler.exists('resync', object);
      };
      const ends = (owned ?? []).map((each) => cache.informer(each).onExistenceChange(again));
      const end = (): void => {
        requeue = undefined;
        registration[Symbol.dispose]();
        for (const each of ends) each();
      };
      context.signal.addEventListener('abort', end, { once: true });
      if (context.signal.aborted) end();
      await registration.synced;
      await mapper.settled();
    },
  };
}

/** Events of objects that other replicas work on would not reach this controller. */
function isDivided({ kind }: Kind): UsageError {
  return new UsageError(
    `The replicas divide the cache of ${kind}, and a controller watches all objects of the kind`,
    `Watch metadataOf(${kind}), which is not divided, or leave out sharding.divideCache.`,
  );
}

interface KindHandler<T extends KubernetesObject> extends InformerHandler<T> {
  /** The object is queued although nothing has happened to it. */
  exists(type: 'start' | 'resync' | 'shard', object: DeepReadonly<T>): void;
}

function handlerOf<T extends KubernetesObject>(
  kind: Kind<T>,
  mapper: EventMapper<T>,
  { predicates = [], priority = 0 }: WatchOptions<T>,
  context: SourceContext,
): KindHandler<T> {
  /** One reconcile too many does no harm; a lost event does. */
  const passes = (test: (predicate: Predicate<T>) => boolean | undefined): boolean =>
    predicates.every((predicate) => {
      try {
        return test(predicate) ?? true;
      } catch (error) {
        context.logger.error({ err: error }, 'predicate threw; the event passes');
        return true;
      }
    });
  const take = (
    type: ObjectCause['type'],
    object: DeepReadonly<T>,
    oldObject?: DeepReadonly<T>,
    own = priority,
  ): void => mapper.take({ type, kind, object, oldObject, events: 1 }, own);
  const exists: KindHandler<T>['exists'] = (type, object) => {
    if (passes((predicate) => predicate.create?.(object)))
      take(type, object, undefined, Math.min(priority, lowPriority));
  };
  return {
    exists,
    added: (object, { isInitial }) => {
      if (isInitial) exists('start', object);
      else if (passes((predicate) => predicate.create?.(object))) take('created', object);
    },
    updated: (oldObject, object) => {
      if (passes((predicate) => predicate.update?.(oldObject, object))) take('updated', object, oldObject);
    },
    deleted: (object, details) => {
      if (passes((predicate) => predicate.delete?.(object, details))) take('deleted', object);
    },
    // For objects elsewhere that depend on it. No predicate is about this.
    uncached: (object) => take('uncached', object),
  };
}
