import { cloneJson } from '../json/clone-json.ts';
import { applyConfiguration } from '../managed-fields/field-manager.ts';
import { ConflictsError, applyConflict } from '../managed-fields/conflict.ts';
import { applyAsKubectl } from '../managed-fields/last-applied.ts';
import { ListItemError } from '../managed-fields/list-element.ts';
import { encodeManagers } from '../managed-fields/managers.ts';
import { TypedError } from '../managed-fields/typed-error.ts';
import { validateTyped } from '../managed-fields/validate-typed.ts';
import { withoutEmpties } from '../managed-fields/without-empties.ts';
import type { ApiObject } from '../json/api-object.ts';
import { type JsonObject, getKey, isObject } from '../json/json-object.ts';
import { DecodeError } from '../decoding/decode-error.ts';
import { StrictErrors } from '../decoding/strict-errors.ts';
import { badRequest, conflict, notFound } from '../status/errors.ts';
import { StatusError } from '../status/status-error.ts';
import { retryChanged } from './admission.ts';
import { createObject, setNamespace } from './create.ts';
import { decodeMetadata } from '../metadata/decode-metadata.ts';
import type { Machinery } from './machinery.ts';
import { storePatched } from './patch.ts';
import { type Resource, apiVersionOf, keyOf, resourceName } from './resource.ts';
import { sentVersion } from './sent-version.ts';
import type { Target, WriteOptions } from './target.ts';
import { InconvertibleError } from './resource-versions.ts';
import { type ObjectWriter, setManagers, writerOf } from './track-managers.ts';
import { type Updated, checkName } from './update.ts';
import { prepareUpdate, viewOf } from './views.ts';

/** A configuration to apply to an object. */
export interface Configuration {
  readonly value: JsonObject;
  /** Whether to take over fields that others own. */
  readonly force: boolean;
  /** Runs last, once the configuration could be merged. Throws to refuse it. */
  check(): void;
}

/**
 * Applies a configuration to an object, or to its status. Creates the object if it does not exist.
 *
 * @throws {StatusError} 409 with the fields that others own; every error of a create or an update
 */
export async function applyObject(
  machinery: Machinery,
  target: Target,
  configuration: Configuration,
  options: WriteOptions & { manager: string },
): Promise<Updated> {
  return retryChanged(() => applyOnce(machinery, target, configuration, options));
}

async function applyOnce(
  machinery: Machinery,
  target: Target,
  configuration: Configuration,
  options: WriteOptions & { manager: string },
): Promise<Updated> {
  const { resource, namespace, name, subresource } = target;
  const record = resource.table.get(keyOf(resource, namespace, name));
  if (!record && subresource !== '') throw notFound(resourceName(resource), name);
  const preparing = record && prepareUpdate(resource, record);
  if (preparing) await preparing;
  const live = record && viewOf(resource, record);
  const writer = writerOf(machinery, target, options.manager);
  const merge = () => mergeConfiguration(target, writer, { configuration, live });
  const object = resource.strategy.slowConversion ? await mergeSlowly(writer, merge) : merge();
  configuration.check();
  // The managers are already set: storing must not track them.
  const { manager: _tracked, ...untracked } = options;
  if (record) {
    const updated = await storePatched(machinery, target, { record, object }, untracked);
    return { object: updated, created: false };
  }
  const { uid } = object.metadata;
  if (uid !== undefined) {
    const detail = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
    throw conflict(resourceName(resource), name, detail);
  }
  sentVersion(object);
  delete object.metadata.resourceVersion;
  setNamespace(target, object);
  checkName(target, object.metadata.name);
  return {
    object: await createObject(machinery, target, object, { ...untracked, createsMissing: true }),
    created: true,
  };
}

/** @throws {StatusError} 500 when the object cannot be compared in the version of one of its managers */
async function mergeSlowly({ versions }: ObjectWriter, merge: () => ApiObject): Promise<ApiObject> {
  try {
    return await versions.converting(merge);
  } catch (error) {
    if (!(error instanceof InconvertibleError)) throw error;
    throw new StatusError(500, undefined, error.message);
  }
}

/**
 * Merges a configuration into an object and sets its managers.
 *
 * @param target a target whose resource is the kind of the configuration
 * @throws {StatusError} 409 with the fields that others own; 400 and 500 for a configuration that does not fit
 */
export function mergeConfiguration(
  target: Target,
  writer: ObjectWriter,
  { configuration, live }: { configuration: Configuration; live: ApiObject | undefined },
): ApiObject {
  const { value, force } = configuration;
  const { resource } = target;
  checkType(target, value);
  const atom = writer.versions.atomOf(writer.apiVersion) ?? {};
  const apply = writer.manager === 'kubectl' ? applyAsKubectl : applyConfiguration;
  try {
    validateTyped(value, atom);
    const applied = apply(writer, live, value, force);
    const merged = applied.object && withoutEmpties(applied.object, atom);
    // Nothing changes the given object: the copy becomes part of the store. An object that does not change is copied, too: the
    // server decides about its fields once more.
    const object = merged || !live ? complete(cloneJson(merged ?? value), resource) : cloneJson(live);
    setManagers(object, encodeManagers(applied.managers, writer.versions.order));
    return object;
  } catch (error) {
    throw asStatus(error, value);
  }
}

function complete(merged: JsonObject, resource: Resource): ApiObject {
  const { apiVersion, kind } = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  const metadata = decodeMetadata(merged['metadata'], new StrictErrors());
  return resource.strategy.complete({ ...merged, apiVersion, kind, metadata });
}

/** The configuration must state its type and must not contain managed fields. */
function checkType({ resource }: Target, value: JsonObject): void {
  const kind = kindOf(value);
  const { group, version } = resource;
  if (kind !== `${group}/${version}, Kind=${resource.kind}`) throw badRequest(`invalid object type: ${kind}`);
  const metadata = getKey(value, 'metadata');
  if (isObject(metadata) && Array.isArray(getKey(metadata, 'managedFields'))) {
    throw badRequest('metadata.managedFields must be nil');
  }
}

/** `group/version, Kind=kind`, with empty parts for missing ones and for values that are not strings. */
function kindOf(value: JsonObject): string {
  const apiVersion = textOf(value, 'apiVersion');
  const parts = apiVersion.split('/');
  if (parts.length > 2) return '/, Kind=';
  return `${parts.length === 2 ? apiVersion : `/${apiVersion}`}, Kind=${textOf(value, 'kind')}`;
}

function asStatus(error: unknown, value: JsonObject): unknown {
  if (error instanceof ConflictsError) return applyConflict(error);
  if (error instanceof DecodeError) return unconvertible(error, value);
  if (!(error instanceof TypedError) && !(error instanceof ListItemError)) return error;
  return new StatusError(
    500,
    undefined,
    `failed to create typed patch object (${subjectOf(value)}): ${error.message}`,
  );
}

/** The types are right, but a string is not a valid time, quantity or base64 value. */
function unconvertible({ message }: DecodeError, value: JsonObject): StatusError {
  const reason = `${message.startsWith('illegal base64') ? 'error decoding from json: ' : ''}${message}`;
  return new StatusError(
    500,
    undefined,
    `failed to convert new object (${subjectOf(value)}) to proper version: unable to convert unstructured object to ${kindOf(value)}: ${reason}`,
  );
}

function subjectOf(value: JsonObject): string {
  const metadata = getKey(value, 'metadata');
  const named = isObject(metadata) ? metadata : {};
  return `${textOf(named, 'namespace')}/${textOf(named, 'name')}; ${kindOf(value)}`;
}

function textOf(object: JsonObject, field: string): string {
  const value = getKey(object, field);
  return typeof value === 'string' ? value : '';
}
