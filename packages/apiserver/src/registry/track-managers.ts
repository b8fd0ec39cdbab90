import type { ManagedFieldsEntry } from 'ots-kubernetes';
import { trackUpdate, untrackedManagers, type Writer } from '../managed-fields/field-manager.ts';
import { ListItemError } from '../managed-fields/list-element.ts';
import { TypedError } from '../managed-fields/typed-error.ts';
import { validateTyped } from '../managed-fields/validate-typed.ts';
import { ResourceVersions } from './resource-versions.ts';
import type { ApiObject } from '../json/api-object.ts';
import { jsonEqual } from '../json/json-equal.ts';
import { type Machinery, type OwnMachinery, timestamp } from './machinery.ts';
import { apiVersionOf } from './resource.ts';
import type { Target, WriteOptions } from './target.ts';

/**
 * Updates `metadata.managedFields` after a write that is not an apply. A write without a manager keeps them.
 *
 * @param live the object before the write; undefined when it is new
 * @param object the object as the client sent it, before the server resets fields
 */
export function trackManagers(
  machinery: OwnMachinery & Partial<Pick<Machinery, 'admission'>>,
  target: Target,
  { live, object }: { live: ApiObject | undefined; object: ApiObject },
  options: WriteOptions,
): void {
  if (options.manager === undefined) return;
  const writer = writerOf(machinery, target, options.manager);
  // Validation refuses wrong types later, unless a webhook corrects them.
  const isUntyped = machinery.admission?.mayWait && target.resource.custom && !isTyped(writer, object);
  setManagers(object, (isUntyped ? untrackedManagers : trackUpdate)(writer, live, object));
}

function isTyped({ versions, apiVersion }: Writer, object: ApiObject): boolean {
  try {
    validateTyped(object, versions.atomOf(apiVersion) ?? {});
    return true;
  } catch (error) {
    if (error instanceof TypedError || error instanceof ListItemError) return false;
    throw error;
  }
}

/** The writer, for the ownership rules. */
export function writerOf(
  machinery: OwnMachinery,
  { resource, subresource }: Target,
  manager: string,
): Writer {
  return {
    versions: new ResourceVersions(machinery.registry, resource, subresource),
    apiVersion: apiVersionOf(resource),
    subresource,
    manager,
    time: timestamp(machinery),
  };
}

export function setManagers({ metadata }: ApiObject, entries: ManagedFieldsEntry[] | undefined): void {
  if (entries) metadata.managedFields = entries;
  else delete metadata.managedFields;
}

/** A write that would only change the times of managers changes nothing: they keep their times. May change the object. */
export function keepTimes(object: ApiObject, old: ApiObject): void {
  const { managedFields: now, ...metadata } = object.metadata;
  const { managedFields: before, ...oldMetadata } = old.metadata;
  if (!now || !before || now.length !== before.length || now === before) return;
  const isSame =
    now.every((entry, index) => jsonEqual(withoutTime(entry), withoutTime(before[index]))) &&
    jsonEqual(metadata, oldMetadata) &&
    jsonEqual({ ...object, metadata: {} }, { ...old, metadata: {} });
  if (isSame) object.metadata.managedFields = before;
}

function withoutTime(entry: ManagedFieldsEntry | undefined): Partial<ManagedFieldsEntry> {
  const { time: _, ...rest } = entry ?? {};
  return rest;
}
