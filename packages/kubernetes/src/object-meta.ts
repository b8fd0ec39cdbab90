import type { Time, int64 } from './scalars.ts';

/** Who wrote which fields of an object: one entry per manager, operation and subresource. */
export interface ManagedFieldsEntry {
  apiVersion?: string;
  fieldsType?: string;
  fieldsV1?: Record<string, unknown>;
  manager?: string;
  operation?: string;
  subresource?: string;
  time?: Time;
}

/** Refers to an owner of an object: when the last owner is gone, the garbage collector deletes the object. */
export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  /** A foreground deletion removes the owner only after this object is gone. */
  blockOwnerDeletion?: boolean;
  /** Marks the one owner that manages this object. At most one owner may set it. */
  controller?: boolean;
}

/** The metadata of a stored object. The server sets most of it. */
export interface ObjectMeta {
  annotations?: Record<string, string>;
  creationTimestamp?: Time;
  deletionGracePeriodSeconds?: int64;
  /** Set while finalizers delay a requested deletion. */
  deletionTimestamp?: Time;
  /** The object is removed only when this list is empty. */
  finalizers?: string[];
  /** Asks the server to generate a name from this prefix and five random characters. */
  generateName?: string;
  /** Increases by one with every change of the desired state (not of status or metadata). */
  generation?: int64;
  labels?: Record<string, string>;
  managedFields?: ManagedFieldsEntry[];
  name?: string;
  namespace?: string;
  ownerReferences?: OwnerReference[];
  /** Changes with every write. The server refuses an update with an old one as a conflict. */
  resourceVersion?: string;
  selfLink?: string;
  uid?: string;
}
