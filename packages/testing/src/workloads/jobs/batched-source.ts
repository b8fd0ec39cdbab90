import {
  type Cache,
  type DeepReadonly,
  type MapFunction,
  type Source,
  type SourceContext,
} from 'ots-runtime';
import type { Kind, KubernetesObject } from 'ots-kubernetes';

/** Events of a kind that lead to one reconcile if they come close together. */
export function batchedSource<T extends KubernetesObject>(
  cache: Cache,
  kind: Kind<T>,
  map: MapFunction<T>,
  batchMs: number,
): Source {
  return {
    name: `${kind.kind} in batches`,
    start: async ({ enqueue, signal }: SourceContext) => {
      const add = async (object: DeepReadonly<T>) => {
        for (const request of await map(object)) enqueue(request, { after: batchMs });
      };
      const registration = cache.informer(kind).addHandler({
        added: (object) => void add(object),
        updated: (before, object) => {
          void add(before);
          void add(object);
        },
        deleted: (object) => void add(object),
      });
      signal.addEventListener('abort', () => registration[Symbol.dispose](), { once: true });
      await registration.synced;
    },
  };
}
