import { setMaxListeners } from 'node:events';
import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { keyText } from '../objects/object-key.ts';
import type { Informer } from './informer.ts';

/** Something that happened to an object. */
export interface CacheEvent<T extends KubernetesObject> {
  /**
   * What happened. An object that was created and changed before it was read is `added` with its last state. `uncached`
   * means that its namespace is no longer cached; the object may still exist.
   */
  type: 'added' | 'updated' | 'deleted' | 'uncached';
  /** The current state; for an object that has left the cache, the last known one. */
  object: DeepReadonly<T>;
}

/**
 * What happens to the objects of an informer until the signal aborts. A buffer keeps one pending event per object: a
 * slow reader sees the last state of an object, but not those before it.
 */
export async function* cacheEvents<T extends KubernetesObject>(
  informer: Informer<T>,
  signal: AbortSignal,
): AsyncGenerator<CacheEvent<T>, void> {
  const pending = new Map<string, CacheEvent<T>>();
  let wake: (() => void) | undefined;
  const put = (type: CacheEvent<T>['type'], object: DeepReadonly<T>): void => {
    const { name = '', namespace } = object.metadata;
    coalesce(pending, keyText({ name, namespace }), { type, object });
    wake?.();
  };
  const registration = informer.addHandler({
    added: (object) => put('added', object),
    updated: (_, object) => put('updated', object),
    deleted: (object) => put('deleted', object),
    uncached: (object) => put('uncached', object),
  });
  const abort = (): void => wake?.();
  // Node warns of a leak at the eleventh listener; all that are read may end together.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', abort, { once: true });
  try {
    while (!signal.aborted) {
      const [next] = pending;
      if (next) {
        pending.delete(next[0]);
        yield next[1];
      } else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    registration[Symbol.dispose]();
    signal.removeEventListener('abort', abort);
  }
}

/** Merges the pending event of the object with a new one. */
function coalesce<T extends KubernetesObject>(
  pending: Map<string, CacheEvent<T>>,
  key: string,
  event: CacheEvent<T>,
): void {
  const before = pending.get(key)?.type;
  const hasLeft = event.type === 'deleted' || event.type === 'uncached';
  if (before === 'added' && hasLeft) pending.delete(key);
  else if (before === 'added') pending.set(key, { ...event, type: 'added' });
  else if (before === 'deleted' || before === 'uncached') pending.set(key, { ...event, type: 'updated' });
  else pending.set(key, event);
}
