import type { ApiObject } from '../json/api-object.ts';

/** One immutable state of one object. A write creates a new one. */
export interface StoredRecord {
  /** `namespace/name`, or the name of a cluster-scoped object. Lists are sorted by it. */
  readonly key: string;
  /** The resource version of this state as a number, equal to `object.metadata.resourceVersion`. */
  readonly revision: number;
  /** The object in the storage version of its kind. */
  readonly object: ApiObject;
}
