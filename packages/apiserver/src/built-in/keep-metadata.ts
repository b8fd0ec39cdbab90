import type { ApiObject } from '../json/api-object.ts';

const kept = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'deletionTimestamp'] as const;

/** For kinds whose `/status` does not write metadata: restores an object's metadata. Changes the object. */
export function keepMetadata({ metadata }: ApiObject, old: ApiObject): void {
  for (const field of kept) {
    delete metadata[field];
    if (old.metadata[field] !== undefined) Object.assign(metadata, { [field]: old.metadata[field] });
  }
}
