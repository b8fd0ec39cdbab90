import type { ObjectMeta } from 'ots-kubernetes';
import type { AuditAnnotations } from '../audit/audit-annotations.ts';
import type { UserInfo } from '../authentication/user-info.ts';
import type { ApiObject } from '../json/api-object.ts';
import { conflict, notFound } from '../status/errors.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { type AdmissionAttributes, admit, checkUnchanged, retryChanged } from './admission.ts';
import { after } from './after.ts';
import type { DeleteOptions } from './delete-options.ts';
import { finalizersOfDeletion } from './propagation-finalizers.ts';
import { graceOf } from './grace-period.ts';
import { type Machinery, timestamp } from './machinery.ts';
import { noteOwnWrite } from './own-write.ts';
import { admitDelete } from './namespace-lifecycle.ts';
import { nextGeneration } from '../metadata/next-generation.ts';
import type { RequestClient } from './request-client.ts';
import { type Resource, keyOf, kindName, resourceName } from './resource.ts';
import type { Target } from './target.ts';
import { prepareDeletion, prepareView, viewOf } from './views.ts';

/** The result of a deletion. */
export interface Deleted {
  readonly object: ApiObject;
  /** False while finalizers or a grace period keep the object. */
  readonly gone: boolean;
}

/** What a deletion turns an object into: a state to store, and whether the object is removed. */
interface Outcome {
  /** The stored object itself when there is nothing to store. */
  object: ApiObject;
  gone: boolean;
  /** Whether an earlier deletion is still in progress, which this one does not change. */
  isPending?: boolean;
}

/** Who deletes an object. */
export interface Deletion {
  readonly user: UserInfo;
  /** Undefined for a deletion by the server itself. */
  readonly client: RequestClient | undefined;
  /** Receives warnings for the client. */
  readonly warnings: string[];
  /** Receives audit annotations. Undefined when nothing records the request. */
  readonly audit: AuditAnnotations | undefined;
}

/**
 * Deletes an object if admission allows it, or marks it when finalizers or a grace period keep it.
 *
 * @param target names the object
 * @param asked the target of the request, which names no object in a deletion of many. Default: the same
 * @returns a promise only where a webhook has to be asked
 * @throws {StatusError} when it does not exist, is protected, does not meet the preconditions, or admission refuses
 */
export function deleteObject(
  machinery: Machinery,
  target: Target,
  options: DeleteOptions,
  deletion: Deletion,
  asked: Target = target,
): Deleted | Promise<Deleted> {
  admitDelete(target);
  return retryChanged(() => deleteOnce(machinery, target, options, { ...deletion, asked }));
}

function deleteOnce(
  machinery: Machinery,
  target: Target,
  options: DeleteOptions,
  { asked, ...deletion }: Deletion & { asked: Target },
): Deleted | Promise<Deleted> {
  const { resource, namespace, name } = target;
  const record = resource.table.get(keyOf(resource, namespace, name));
  if (!record) throw notFound(resourceName(resource), name);
  checkPreconditions(resource, record, options);
  const outcome = outcomeOf(machinery, resource, record.object, options);
  if (outcome.isPending) return answer(resource, record, false);
  const effective = effectiveOptions(resource, record.object, options);
  const admitted = (state: StoredRecord, next: () => Deleted | Promise<Deleted>) => {
    const ask = () => admit(machinery, deleteAttributes(asked, state, effective, deletion));
    const proceed = () => {
      checkUnchanged(target, state);
      return next();
    };
    return after(prepareView(resource, state), () => after(ask(), proceed));
  };
  const store = () => {
    const { object, gone } = outcome;
    if (options.dryRun) return answer(resource, { ...record, object }, gone);
    const marked = mark(resource, record, outcome);
    if (marked !== record) noteOwnWrite(machinery, 'delete', target, marked, deletion);
    if (!gone) return answer(resource, marked, gone);
    const remove = () => {
      const removed = resource.table.delete(marked);
      noteOwnWrite(machinery, 'delete', target, removed, deletion);
      return answer(resource, removed, gone);
    };
    // The end of a grace period is a deletion of its own.
    return marked === record ? remove() : admitted(marked, remove);
  };
  return after(prepareDeletion(resource, record), () => admitted(record, store));
}

function answer(resource: Resource, record: StoredRecord, gone: boolean): Deleted | Promise<Deleted> {
  return after(prepareView(resource, record), () => ({
    get object() {
      return viewOf(resource, record);
    },
    gone,
  }));
}

/** The options with what the strategy decides: the grace period of a pod, and the UID of what is deleted in steps. */
function effectiveOptions({ strategy }: Resource, object: ApiObject, options: DeleteOptions): DeleteOptions {
  const { uid, deletionTimestamp } = object.metadata;
  const grace =
    deletionTimestamp === undefined ? strategy.gracePeriodOf(object, options.gracePeriodSeconds) : undefined;
  return {
    ...options,
    ...(grace !== undefined && { gracePeriodSeconds: grace }),
    ...(strategy.terminatesInSteps &&
      uid !== undefined && { preconditions: { ...options.preconditions, uid } }),
  };
}

function deleteAttributes(
  target: Target,
  state: StoredRecord,
  options: DeleteOptions,
  { user, client, warnings, audit }: Deletion,
): AdmissionAttributes {
  const kind = target.resource;
  const { name } = target;
  return {
    operation: 'DELETE',
    target,
    name,
    kind,
    user,
    client,
    dryRun: options.dryRun,
    object: undefined,
    // Most deletions are admitted without a look at these.
    get options() {
      return shownOptions(options);
    },
    get oldObject() {
      return viewOf(kind, state);
    },
    warnings,
    audit,
  };
}

/** The options as admission shows them. */
function shownOptions({ dryRun, preconditions, ...sent }: DeleteOptions): object {
  return {
    kind: 'DeleteOptions',
    apiVersion: 'meta.k8s.io/v1',
    ...sent,
    ...(Object.keys(preconditions).length > 0 && { preconditions }),
    ...(dryRun && { dryRun: ['All'] }),
  };
}

/**
 * Like {@link deleteObject}, for a record, without admission.
 *
 * @returns the last state
 * @throws {StatusError} when it does not meet the preconditions
 */
export function deleteRecord(
  machinery: Machinery,
  resource: Resource,
  record: StoredRecord,
  options: DeleteOptions,
): { record: StoredRecord; gone: boolean } {
  checkPreconditions(resource, record, options);
  const outcome = outcomeOf(machinery, resource, record.object, options);
  const { object, gone } = outcome;
  if (options.dryRun) return { record: { ...record, object }, gone };
  const marked = mark(resource, record, outcome);
  return { record: gone ? resource.table.delete(marked) : marked, gone };
}

/** Stores that an object is being deleted. */
function mark({ table }: Resource, record: StoredRecord, { object }: Outcome): StoredRecord {
  return object === record.object ? record : table.put(record.key, object);
}

function outcomeOf(
  machinery: Machinery,
  resource: Resource,
  object: ApiObject,
  options: DeleteOptions,
): Outcome {
  const { strategy } = resource;
  const { metadata } = object;
  if (metadata.deletionTimestamp === undefined) {
    const terminating =
      strategy.terminatesInSteps && strategy.terminating(object, options, timestamp(machinery));
    if (terminating) return { object: terminating, gone: false };
  } else if (strategy.isRemovalDelayed(object)) return { object, gone: false, isPending: true };

  const initial = strategy.gracePeriodOf(object, options.gracePeriodSeconds);
  const grace =
    initial === undefined ? 'none' : graceOf(metadata, initial, options.gracePeriodSeconds, machinery.now());
  if (grace === 'pending') return { object, gone: false, isPending: true };
  const finalizers = finalizersOfDeletion(object, options, strategy.defaultPropagation);
  if (grace !== 'none') {
    const marked = { ...object, metadata: withFinalizers(grace.metadata, finalizers) };
    return { object: marked, gone: finalizers.length === 0 && grace.seconds === 0 };
  }
  if (finalizers.length === 0) return { object, gone: true };
  return { object: markDeleted(machinery, object, finalizers), gone: false };
}

/** A second deletion that changes nothing returns the same object. */
function markDeleted(machinery: Machinery, object: ApiObject, finalizers: readonly string[]): ApiObject {
  const { generation = 0, deletionTimestamp, deletionGracePeriodSeconds } = object.metadata;
  const now = timestamp(machinery);
  const isMarked = deletionTimestamp !== undefined && deletionTimestamp <= now;
  if (isMarked && deletionGracePeriodSeconds === 0 && finalizers === object.metadata.finalizers)
    return object;
  const metadata = {
    ...object.metadata,
    ...(deletionTimestamp === undefined && generation > 0 && { generation: nextGeneration(generation) }),
    deletionTimestamp: isMarked ? deletionTimestamp : now,
    deletionGracePeriodSeconds: 0,
  };
  return { ...object, metadata: withFinalizers(metadata, finalizers) };
}

function withFinalizers(metadata: ObjectMeta, finalizers: readonly string[]): ObjectMeta {
  if (finalizers === metadata.finalizers || (finalizers.length === 0 && !metadata.finalizers))
    return metadata;
  const { finalizers: _, ...rest } = metadata;
  return finalizers.length === 0 ? rest : { ...rest, finalizers: [...finalizers] };
}

/**
 * Checks that a deletion is about the existing object.
 *
 * @throws {StatusError} 409
 */
export function checkPreconditions(
  resource: Resource,
  { object: { metadata } }: StoredRecord,
  { preconditions: { uid, resourceVersion } }: Pick<DeleteOptions, 'preconditions'>,
): void {
  const isSpecial = resource.strategy.terminatesInSteps;
  const fail = (special: string, detail: string) =>
    conflict(
      isSpecial ? resourceName(resource) : kindName(resource),
      metadata.name ?? '',
      isSpecial ? `Precondition failed: ${special}` : detail,
    );
  if (uid !== undefined && uid !== metadata.uid) {
    throw fail(
      `UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`,
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    );
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw fail(
      `ResourceVersion in precondition: ${resourceVersion}, ResourceVersion in object meta: ${metadata.resourceVersion}`,
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    );
  }
}
