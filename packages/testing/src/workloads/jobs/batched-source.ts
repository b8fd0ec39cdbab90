import type { Cache, DeepReadonly, Request, Source, SourceContext } from 'ots-runtime';
import type { Kind, KubernetesObject } from 'ots-kubernetes';

/** Events of a kind that lead to one reconcile if they come close together. */
export function batchedSource<T extends KubernetesObject>(
  cache: Cache,
  kind: Kind<T>,
  map: (object: DeepReadonly<T>) => Request[],
  batchMs: number,
): Source {
  return {
    name: `${kind.kind} in batches`,
    start: async ({ enqueue, signal }: SourceContext) => {
      const add = (object: DeepReadonly<T>): void => {
        for (const request of map(object)) enqueue(request, { after: batchMs });
      };
      const registration = cache.informer(kind).addHandler({
        added: add,
        updated: (before, object) => {
          add(before);
          add(object);
        },
        deleted: add,
      });
      signal.addEventListener('abort', () => registration[Symbol.dispose](), { once: true });
      await registration.synced;
    },
  };
}
