import type { ApiObject } from '../objects/api-object.ts';
import { conflict, notFound } from '../status/errors.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { type Machinery, timestamp } from './machinery.ts';
import { admitDelete } from './namespace-lifecycle.ts';
import { type Resource, keyOf, resourceName } from './resource.ts';
import type { Target } from './target.ts';
import { isGone } from './update.ts';
import { viewOf } from './views.ts';

/** How a deletion is to be done. */
export interface DeleteOptions {
  dryRun: boolean;
  propagationPolicy?: string;
  preconditions: { uid?: string; resourceVersion?: string };
}

/** What a deletion did. */
export interface Deleted {
  object: ApiObject;
  /** False while finalizers hold the object back. */
  gone: boolean;
}

const finalizerOfPolicy = new Map([
  ['Foreground', 'foregroundDeletion'],
  ['Orphan', 'orphan'],
]);

/**
 * Deletes an object, or marks it when finalizers hold it back.
 *
 * @throws {StatusError} when it does not exist, is protected, or does not meet the preconditions
 */
export function deleteObject(machinery: Machinery, target: Target, options: DeleteOptions): Deleted {
  const { resource, namespace, name } = target;
  admitDelete(target);
  const record = resource.table.get(keyOf(resource, namespace, name));
  if (!record) throw notFound(resourceName(resource), name);
  return deleteRecord(machinery, resource, record, options);
}

/** {@link deleteObject} for a record at hand. */
export function deleteRecord(
  machinery: Machinery,
  resource: Resource,
  record: StoredRecord,
  options: DeleteOptions,
): Deleted {
  checkPreconditions(resource, record, options);
  const marked = markDeleted(machinery, resource, record.object, options);
  if (isGone(resource, marked)) {
    const last = options.dryRun ? record : resource.table.delete(record);
    return { object: viewOf(resource, last), gone: true };
  }
  // A second deletion changes nothing.
  if (marked === record.object) return { object: viewOf(resource, record), gone: false };
  if (options.dryRun) return { object: resource.strategy.fromStorage(marked), gone: false };
  return { object: viewOf(resource, resource.table.put(record.key, marked)), gone: false };
}

function markDeleted(
  machinery: Machinery,
  resource: Resource,
  object: ApiObject,
  { propagationPolicy }: DeleteOptions,
): ApiObject {
  const policyFinalizer = finalizerOfPolicy.get(propagationPolicy ?? '');
  const finalizers = object.metadata.finalizers ?? [];
  const added =
    policyFinalizer !== undefined && !finalizers.includes(policyFinalizer) ? [policyFinalizer] : [];
  if (object.metadata.deletionTimestamp !== undefined && added.length === 0) return object;
  const { generation } = object.metadata;
  const metadata = {
    ...object.metadata,
    ...(generation !== undefined && generation > 0 && { generation: generation + 1 }),
    ...(added.length > 0 && { finalizers: [...finalizers, ...added] }),
    deletionTimestamp: object.metadata.deletionTimestamp ?? timestamp(machinery),
    deletionGracePeriodSeconds: 0,
  };
  return resource.strategy.terminating({ ...object, metadata });
}

function checkPreconditions(
  resource: Resource,
  record: StoredRecord,
  { preconditions }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions;
  const { metadata } = record.object;
  const fail = (detail: string) =>
    conflict({ group: resource.group, name: resource.kind }, metadata.name ?? '', detail);
  if (uid !== undefined && uid !== metadata.uid) {
    throw fail(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw fail(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}
