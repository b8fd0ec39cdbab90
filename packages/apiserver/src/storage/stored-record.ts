import type { ApiObject } from '../json/api-object.ts';

/** One state of one object. Nothing changes it; a write makes a new one. */
export interface StoredRecord {
  /** `namespace/name`, or the name of a cluster-scoped object: the order of lists. */
  readonly key: string;
  /** The resource version of this state, as a number. `object.metadata.resourceVersion` says the same. */
  readonly revision: number;
  /** In the version in which its kind is stored. */
  readonly object: ApiObject;
}
