import type { KubernetesObject } from 'ots-kubernetes';
import { type ObjectKey, keyOf, keyText } from '../objects/object-key.ts';
import { isAtLeast, isComparable } from './resource-version.ts';

/** What is stored of a kind. */
export interface Stored {
  get(key: ObjectKey): KubernetesObject | undefined;
  values(namespace?: string): Iterable<KubernetesObject>;
}

/** What the server has listed of it: objects with at least their metadata. */
export interface Listed {
  objects: readonly KubernetesObject[];
  resourceVersion: string;
}

/** True if the store has everything that was listed, or newer versions, and nothing that was deleted by then. */
export function isUpToDate(
  stored: Stored,
  namespace: string | undefined,
  { objects, resourceVersion }: Listed,
): boolean {
  const keys = new Set(objects.map((object) => keyText(keyOf(object))));
  for (const object of stored.values(namespace)) {
    // An object that is not in the list was deleted before it, or created after it.
    if (!keys.has(keyText(keyOf(object))) && !isSince(object, resourceVersion)) return false;
  }
  return objects.every((object) => {
    const known = stored.get(keyOf(object));
    return known !== undefined && isSince(known, object.metadata.resourceVersion!);
  });
}

function isSince({ metadata: { resourceVersion } }: KubernetesObject, other: string): boolean {
  if (resourceVersion === other) return true;
  return isComparable(resourceVersion) && isComparable(other) && isAtLeast(resourceVersion, other);
}
