import type { Time, int64 } from './scalars.ts';

/** Who wrote which fields of an object: one entry for each manager, operation and subresource. */
export interface ManagedFieldsEntry {
  apiVersion?: string;
  fieldsType?: string;
  fieldsV1?: Record<string, unknown>;
  manager?: string;
  operation?: string;
  subresource?: string;
  time?: Time;
}

/** Points from an object to one that owns it: when the last owner goes, the garbage collector deletes the object. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  /** The owner is deleted in the foreground only after this object is gone. */
  blockOwnerDeletion?: boolean;
  /** The one owner that manages this object. At most one owner may set it. */
  controller?: boolean;
}

/** What every stored object carries beside its own fields. The server fills in most of it. */
export interface ObjectMeta {
  annotations?: Record<string, string>;
  creationTimestamp?: Time;
  deletionGracePeriodSeconds?: int64;
  /** Set while finalizers hold back a deletion that was asked for. */
  deletionTimestamp?: Time;
  /** The object is removed only when this list is empty. */
  finalizers?: string[];
  /** Asks the server to make a name of this prefix and five random characters. */
  generateName?: string;
  /** Grows by one with every change of what is wanted (not of status or metadata). */
  generation?: int64;
  labels?: Record<string, string>;
  managedFields?: ManagedFieldsEntry[];
  name?: string;
  namespace?: string;
  ownerReferences?: OwnerReference[];
  /** Changes with every write. An update that sends an old one is refused with a conflict. */
  resourceVersion?: string;
  selfLink?: string;
  uid?: string;
}
