import { pathSegment } from 'ots-apimachinery/names';
import { appendAll } from '../json/append-all.ts';
import type { ApiObject } from '../json/api-object.ts';
import { jsonEqual } from '../json/json-equal.ts';
import { badRequest, invalidObject, notFound } from '../status/errors.ts';
import type { FieldError } from '../status/field-error.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { cloneJson } from '../json/clone-json.ts';
import { checkUnchanged, mayWait, retryChanged, writeAttributes } from './admission.ts';
import { after } from './after.ts';
import { checkUid } from './check-uid.ts';
import { createObject, setNamespace } from './create.ts';
import { keepUniqueOwners } from './keep-unique-owners.ts';
import type { Machinery, OwnMachinery } from './machinery.ts';
import { noteOwnWrite } from './own-write.ts';
import { type Resource, keyOf, kindName, resourceName } from './resource.ts';
import { checkVersion, sentVersion } from './sent-version.ts';
import type { Target, WriteOptions } from './target.ts';
import { keepTimes, setManagers, trackConverted } from './track-managers.ts';
import {
  takesAnyFinalizer,
  validateMetadata,
  validateMetadataUpdate,
} from '../metadata/validate-metadata.ts';
import { decodeUnstructured } from './unstructured.ts';
import { convertedView, prepareUpdate, viewOf } from './views.ts';

/** The result of an update. */
export interface Updated {
  object: ApiObject;
  /** Whether the update created the object, in a resource that allows it. */
  created: boolean;
}

/**
 * Replaces an object, or its status.
 *
 * @param sent the decoded body, which becomes part of the store: the caller must not use it again
 * @throws {StatusError} when the server refuses it
 */
export async function replaceObject(
  machinery: Machinery,
  target: Target,
  sent: ApiObject,
  options: WriteOptions,
): Promise<Updated> {
  if (!mayWait(machinery, target)) return replaceOnce(machinery, target, sent, options);
  return retryChanged(() => replaceOnce(machinery, target, cloneJson(sent), options));
}

async function replaceOnce(
  machinery: Machinery,
  target: Target,
  object: ApiObject,
  options: WriteOptions,
): Promise<Updated> {
  const { resource, name } = target;
  checkName(target, object.metadata.name);
  setNamespace(target, object);
  keepUniqueOwners(object, options.warnings);
  const record = resource.table.get(keyOf(resource, target.namespace, name));
  if (!record && resource.strategy.allowsCreateOnUpdate && target.subresource === '') {
    checkUid(target, object.metadata.uid, undefined, options);
    sentVersion(object);
    delete object.metadata.resourceVersion;
    return {
      object: await createObject(machinery, target, object, { ...options, createsMissing: true }),
      created: true,
    };
  }
  if (!record) throw notFound(resourceName(resource), name);
  checkUid(target, object.metadata.uid, record, options);
  const preparing = prepareUpdate(resource, record);
  if (preparing) await preparing;
  const live = viewOf(resource, record);
  const tracking = trackConverted(machinery, target, { live, object }, options);
  if (tracking) await tracking;
  const updated = await admitUpdate(machinery, target, { record, object }, options, (admitted) =>
    checkVersion(target, admitted, record),
  );
  return { object: updated, created: false };
}

/**
 * Stores a new state that admission allows.
 *
 * @param check checks the preconditions of the state that the mutating phase leaves
 * @returns the new state in the version of the request, in a promise only where a webhook has to be asked
 * @throws {ChangedMeanwhileError} for {@link retryChanged}
 * @throws {StatusError} when the server refuses it
 */
export function admitUpdate(
  machinery: Machinery,
  target: Target,
  { record, object: sent }: { record: StoredRecord; object: ApiObject },
  options: WriteOptions,
  check: (object: ApiObject) => void,
): ApiObject | Promise<ApiObject> {
  const oldObject = viewOf(target.resource, record);
  const attributes = writeAttributes('UPDATE', target, { object: sent, oldObject }, options);
  return after(machinery.admission.mutate(attributes), () => {
    const { object } = attributes;
    keepUniqueOwners(object, options.warnings, true);
    setNamespace(target, object);
    check(object);
    const update = { machinery, target, record, options };
    completeUpdate(update, object);
    return after(machinery.admission.validate(attributes), () => commitUpdate(update, object));
  });
}

/**
 * Stores a new state of an object for the server itself, without admission. The caller has checked its preconditions.
 *
 * @returns the new state in the version of the request
 * @throws {StatusError} when the server refuses it
 */
export function updateRecord(
  machinery: OwnMachinery,
  target: Target,
  record: StoredRecord,
  object: ApiObject,
  options: WriteOptions,
): ApiObject {
  const { resource } = target;
  const update = { machinery, target, record, options };
  completeUpdate(update, object);
  return viewOf(resource, store(update, resource.strategy.toStorage(object)));
}

/** An update of a stored object. */
interface Update {
  machinery: OwnMachinery;
  target: Target;
  record: StoredRecord;
  options: WriteOptions;
}

/**
 * Sets what the server decides about a new state, and validates it.
 *
 * @throws {StatusError} when the server refuses it
 */
export function completeUpdate({ machinery, target, record, options }: Update, object: ApiObject): void {
  const { resource } = target;
  const old = viewOf(resource, record);
  const { strategy } = resource;
  strategy.checkWriter(object, old, { user: options.user, authorizer: machinery.authorizer, target });
  prepare(target, object, old);
  const errors = [
    // Names are immutable: the rule of a custom resource is for new objects only.
    ...validateMetadata(
      object.metadata,
      resource.custom ? pathSegment : strategy.nameRule,
      takesAnyFinalizer(resource),
    ),
    ...validateMetadataUpdate(object.metadata, old.metadata),
    ...validate(target, object, old, options),
  ];
  if (errors.length > 0) throw invalidObject(kindName(resource), object.metadata.name ?? '', errors);
  if (target.subresource !== 'status' && options.warnings)
    appendAll(options.warnings, strategy.warningsFor(object, old));
  object.metadata.resourceVersion = old.metadata.resourceVersion ?? '';
  keepTimes(object, old);
}

/**
 * Stores a complete state that admission has allowed.
 *
 * @returns it in the version of the request, in a promise only where a webhook has to convert it
 * @throws {ChangedMeanwhileError} for {@link retryChanged}
 * @throws {StatusError} 500 when a webhook has to convert it and fails
 */
export function commitUpdate(update: Update, object: ApiObject): ApiObject | Promise<ApiObject> {
  const { target, record } = update;
  const { resource } = target;
  const commit = (stored: ApiObject) => {
    checkUnchanged(target, record);
    return convertedView(resource, store(update, stored));
  };
  const decoded = decodeUnstructured(resource, object);
  const converting = resource.strategy.slowConversion?.toStorage(decoded);
  return converting ? converting.then(commit) : commit(resource.strategy.toStorage(decoded));
}

/**
 * Stores a new state, unless nothing changed.
 *
 * @param object the state in its storage version
 * @returns what the writer sees
 */
function store({ machinery, target, record, options }: Update, object: ApiObject): StoredRecord {
  const { resource } = target;
  const { table } = resource;
  if (jsonEqual(object, record.object)) return record;
  const unstored = { ...record, object };
  if (options.dryRun) return unstored;
  const isDeleted = isGone(resource, object, record.object);
  const stored = isDeleted ? table.delete(record) : table.put(record.key, object);
  noteOwnWrite(machinery, 'update', target, stored, options);
  return isDeleted ? unstored : stored;
}

function validate(
  { resource: { strategy }, subresource }: Target,
  object: ApiObject,
  old: ApiObject,
  { warnings }: WriteOptions,
): FieldError[] {
  if (subresource === 'status') return strategy.validateStatusUpdate(object, old, warnings);
  const rules = strategy.updateRules.get(subresource);
  return rules ? rules.validate(object, old) : strategy.validateUpdate(object, old, warnings);
}

/** Whether an update removes the last finalizer or other cause that kept a deleted object. */
function isGone({ strategy }: Resource, object: ApiObject, old: ApiObject): boolean {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = old.metadata;
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds > 0) return false;
  return (object.metadata.finalizers ?? []).length === 0 && !strategy.isRemovalDelayed(object);
}

function prepare({ resource, subresource }: Target, object: ApiObject, old: ApiObject): void {
  const { metadata } = object;
  const { managedFields } = metadata;
  delete metadata.selfLink;
  const kept = ['generation', 'deletionGracePeriodSeconds'] as const;
  for (const field of kept) delete metadata[field];
  const { generation, deletionGracePeriodSeconds, uid, creationTimestamp, deletionTimestamp } = old.metadata;
  if (generation !== undefined) metadata.generation = generation;
  if (deletionGracePeriodSeconds !== undefined)
    metadata.deletionGracePeriodSeconds = deletionGracePeriodSeconds;
  if (uid !== undefined) metadata.uid ??= uid;
  if (creationTimestamp !== undefined) metadata.creationTimestamp = creationTimestamp;
  if (deletionTimestamp !== undefined) metadata.deletionTimestamp ??= deletionTimestamp;
  const { strategy } = resource;
  const rules = strategy.updateRules.get(subresource);
  if (rules) rules.prepare(object, old);
  else if (subresource === 'status') strategy.prepareForStatusUpdate(object, old);
  else if (subresource === 'finalize') strategy.prepareForFinalize(object, old);
  else strategy.prepareForUpdate(object, old);
  // Managed fields follow the writes of every endpoint, including those that keep the metadata.
  setManagers(object, managedFields);
}

/**
 * Checks that the object has the name in the URL.
 *
 * @throws {StatusError} 400
 */
export function checkName({ name }: Target, sent: string | undefined): void {
  if (sent === undefined) {
    throw badRequest(
      `the name of the object (${name} based on URL) was undeterminable: name must be provided`,
    );
  }
  if (sent !== name)
    throw badRequest(`the name of the object (${sent}) does not match the name on the URL (${name})`);
}
