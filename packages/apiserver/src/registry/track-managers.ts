import type { ManagedFieldsEntry } from 'ots-kubernetes';
import { trackUpdate, untrackedManagers, type Writer } from '../managed-fields/field-manager.ts';
import { ListItemError } from '../managed-fields/list-element.ts';
import { TypedError } from '../managed-fields/typed-error.ts';
import { validateTyped } from '../managed-fields/validate-typed.ts';
import { InconvertibleError, ResourceVersions } from './resource-versions.ts';
import type { ApiObject } from '../json/api-object.ts';
import { jsonEqual } from '../json/json-equal.ts';
import { type Machinery, type OwnMachinery, timestamp } from './machinery.ts';
import { apiVersionOf } from './resource.ts';
import type { Target, WriteOptions } from './target.ts';

type TrackingMachinery = OwnMachinery & Partial<Pick<Machinery, 'admission'>>;

/** A write, for the ownership rules. */
interface Change {
  /** The object before the write; undefined when it is new. */
  readonly live: ApiObject | undefined;
  /** The object as the client sent it, before the server resets fields. May change. */
  readonly object: ApiObject;
}

/**
 * Updates `metadata.managedFields` after a write that is not an apply. A write without a manager keeps them. Not for a kind
 * that a webhook converts: see {@link trackConverted}.
 */
export function trackManagers(
  machinery: TrackingMachinery,
  target: Target,
  { live, object }: Change,
  { manager }: WriteOptions,
): void {
  if (manager === undefined) return;
  const writer = writerOf(machinery, target, manager);
  setManagers(object, trackerOf(machinery, target, writer, object)(writer, live, object));
}

/**
 * Like {@link trackManagers}, for every kind.
 *
 * @returns a promise only where a webhook has to convert the object to the versions of its managers
 */
export function trackConverted(
  machinery: Machinery,
  target: Target,
  change: Change,
  options: WriteOptions,
): Promise<void> | undefined {
  const { manager } = options;
  if (manager !== undefined && target.resource.strategy.slowConversion)
    return trackSlowly(machinery, target, change, manager);
  trackManagers(machinery, target, change, options);
  return undefined;
}

/** Managers are lost when the object cannot be compared in their versions, like in a real server. */
async function trackSlowly(
  machinery: Machinery,
  target: Target,
  { live, object }: Change,
  manager: string,
): Promise<void> {
  const writer = writerOf(machinery, target, manager);
  const track = trackerOf(machinery, target, writer, object);
  try {
    setManagers(object, await writer.versions.converting(() => track(writer, live, object)));
  } catch (error) {
    if (!(error instanceof InconvertibleError)) throw error;
    setManagers(object, undefined);
  }
}

/** Validation refuses wrong types later, unless a webhook corrects them: then nothing is tracked. */
function trackerOf(
  { admission }: TrackingMachinery,
  { resource }: Target,
  writer: Writer,
  object: ApiObject,
): typeof trackUpdate {
  const isUntyped = admission?.mayWait && resource.custom && !isTyped(writer, object);
  return isUntyped ? untrackedManagers : trackUpdate;
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

/** A writer of an object of this server. */
export interface ObjectWriter extends Writer {
  readonly versions: ResourceVersions;
}

/** The writer, for the ownership rules. */
export function writerOf(
  machinery: OwnMachinery,
  { resource, subresource }: Target,
  manager: string,
): ObjectWriter {
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
