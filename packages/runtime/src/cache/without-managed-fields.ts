import type { KubernetesObject } from 'ots-kubernetes';

/**
 * A transform for `cache.add` that drops `metadata.managedFields`. It pays where objects are written by many different
 * programs; what is the same in all objects takes room only once anyway. Note that `client.apply` compares with
 * managedFields to find out that there is nothing to do: without them in the cache it sends every apply to the server.
 */
export function withoutManagedFields<T extends KubernetesObject>(object: T): T {
  // Not `delete`, which makes V8 keep what is left in a form that takes more room than it saved.
  const { managedFields: _, ...metadata } = object.metadata;
  object.metadata = metadata;
  return object;
}
