import { appendAll } from '../json/append-all.ts';
import type { ApiObject } from '../json/api-object.ts';
import { jsonEqual } from '../json/json-equal.ts';
import { badRequest, invalidObject, notFound } from '../status/errors.ts';
import type { FieldError } from '../status/field-error.ts';
import type { StoredRecord } from '../storage/stored-record.ts';
import { checkUid } from './check-uid.ts';
import { createObject, setNamespace } from './create.ts';
import { keepUniqueOwners } from './keep-unique-owners.ts';
import type { Machinery } from './machinery.ts';
import { type Resource, keyOf, kindName, resourceName } from './resource.ts';
import { checkVersion, sentVersion } from './sent-version.ts';
import type { Target, WriteOptions } from './target.ts';
import { keepTimes, setManagers, trackManagers } from './track-managers.ts';
import {
  takesAnyFinalizer,
  validateMetadata,
  validateMetadataUpdate,
} from '../metadata/validate-metadata.ts';
import { viewOf } from './views.ts';

/** The result of an update. */
export interface Updated {
  object: ApiObject;
  /** Whether the update created the object, in a resource that allows it. */
  created: boolean;
}

/**
 * Replaces an object, or its status.
 *
 * @param object the decoded body, which becomes part of the store: the caller must not use it again
 * @throws {StatusError} when the server refuses it
 */
export function replaceObject(
  machinery: Machinery,
  target: Target,
  object: ApiObject,
  options: WriteOptions,
): Updated {
  const { resource, name } = target;
  checkName(target, object.metadata.name);
  setNamespace(target, object);
  keepUniqueOwners(object, options.warnings);
  const record = resource.table.get(keyOf(resource, target.namespace, name));
  if (!record && resource.strategy.allowsCreateOnUpdate && target.subresource === '') {
    checkUid(target, object.metadata.uid, undefined);
    sentVersion(object);
    delete object.metadata.resourceVersion;
    return { object: createObject(machinery, target, object, options), created: true };
  }
  if (!record) throw notFound(resourceName(resource), name);
  checkUid(target, object.metadata.uid, record);
  checkVersion(target, object, record);
  trackManagers(machinery, target, { live: viewOf(resource, record), object }, options);
  return { object: updateRecord(machinery, target, record, object, options), created: false };
}

/**
 * Stores a new state of an object whose preconditions the caller has checked.
 *
 * @returns the new state in the version of the request
 */
export function updateRecord(
  machinery: Machinery,
  target: Target,
  record: StoredRecord,
  object: ApiObject,
  options: WriteOptions,
): ApiObject {
  const { resource } = target;
  const { strategy, table } = resource;
  const old = viewOf(resource, record);
  strategy.checkWriter(object, old, { user: options.user, authorizer: machinery.authorizer, target });
  prepare(target, object, old);
  const errors = [
    ...validateMetadata(object.metadata, strategy.nameRule, takesAnyFinalizer(resource)),
    ...validateMetadataUpdate(object.metadata, old.metadata),
    ...validate(target, object, old, options),
  ];
  if (errors.length > 0) throw invalidObject(kindName(resource), target.name, errors);
  if (target.subresource !== 'status' && options.warnings)
    appendAll(options.warnings, strategy.warningsFor(object, old));
  object.metadata.resourceVersion = old.metadata.resourceVersion ?? '';
  keepTimes(object, old);
  const stored = strategy.toStorage(object);
  if (jsonEqual(stored, record.object)) return old;
  if (options.dryRun) return strategy.fromStorage(stored);
  if (isGone(resource, stored, record.object)) {
    table.delete(record);
    return strategy.fromStorage(stored);
  }
  return viewOf(resource, table.put(record.key, stored));
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
  if (creationTimestamp !== undefined) metadata.creationTimestamp ??= creationTimestamp;
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
