import type { ApiObject } from '../json/api-object.ts';

const kept = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'deletionTimestamp'] as const;

/** Of kinds whose `/status` writes nothing of the metadata: gives an object what it had before. Changes the object. */
export function keepMetadata({ metadata }: ApiObject, old: ApiObject): void {
  for (const field of kept) {
    delete metadata[field];
    if (old.metadata[field] !== undefined) Object.assign(metadata, { [field]: old.metadata[field] });
  }
}
