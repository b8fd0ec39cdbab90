import type { ManagedFieldsEntry } from 'ots-kubernetes';
import type { ApiObject } from '../json/api-object.ts';
import { jsonEqual } from '../json/json-equal.ts';
import type { JsonObject } from '../json/json-object.ts';
import { capUpdates } from './cap-updates.ts';
import { FieldSet } from './field-set.ts';
import { ListItemError } from './list-element.ts';
import {
  type ManagerName,
  type Managers,
  decodeManagers,
  encodeManagers,
  idOf,
  withSet,
} from './managers.ts';
import { type Application, applyToOwners, ownersAfterUpdate } from './owners.ts';
import type { TypedVersions } from './typed-versions.ts';

/** Who writes an object, where and when. */
export interface Writer {
  readonly versions: TypedVersions;
  /** The version of the request. */
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
  /** The name of the manager; empty when the client stated none. */
  readonly manager: string;
  /** RFC 3339 in whole seconds. */
  readonly time: string;
}

const beforeFirstApply = 'before-first-apply';

/** Fields of the server, which have no owner. */
const serverFields = FieldSet.of(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
);

/**
 * Updates the owners after a create, an update, or a patch that is not an apply.
 *
 * @param live undefined when the object is new
 * @param object the new state, with the client's `managedFields`
 * @returns the `managedFields` of the new state; undefined for none
 */
export function trackUpdate(
  writer: Writer,
  live: ApiObject | undefined,
  object: ApiObject,
): ManagedFieldsEntry[] | undefined {
  const managers = managersOf(writer, live, object);
  // A client cleared them: nothing is tracked until the object is applied.
  if (managers.size === 0 && live) return undefined;
  try {
    const before = live ? withoutManagers(live) : emptyObject(object);
    return encodeManagers(update(writer, managers, before, withoutManagers(object)), writer.versions.order);
  } catch (error) {
    if (error instanceof ListItemError) return undefined;
    throw error;
  }
}

/**
 * The `managedFields` of an object whose fields cannot be tracked, because they do not have the types of the schema.
 *
 * @returns undefined for none
 */
export function untrackedManagers(
  writer: Writer,
  live: ApiObject | undefined,
  object: ApiObject,
): ManagedFieldsEntry[] | undefined {
  return encodeManagers(managersOf(writer, live, object), writer.versions.order);
}

/** The result of an apply. */
export interface Applied {
  /** The merged object, without `managedFields`; undefined when applying changes nothing. */
  readonly object: JsonObject | undefined;
  readonly managers: Managers;
}

/**
 * Applies a configuration that is valid by the schema.
 *
 * @param live undefined when the object does not exist
 * @throws {ConflictsError} when others own what would change, unless it is forced
 */
export function applyConfiguration(
  writer: Writer,
  live: ApiObject | undefined,
  configuration: JsonObject,
  force: boolean,
): Applied {
  const { versions, time } = writer;
  const before = live ? withoutManagers(live) : emptyObject(configuration);
  const decoded = (live && decodeManagers(live.metadata.managedFields ?? [])) ?? new Map();
  const managers =
    decoded.size === 0 && live
      ? update({ ...writer, manager: beforeFirstApply }, decoded, emptyObject(live), before)
      : decoded;
  const self: ManagerName = nameOf(writer, 'Apply');
  const application: Application = { live: before, configuration, self, force };
  const applied = applyToOwners(versions, managers, application);
  strip(applied.managers, idOf(self));
  const own = applied.managers.get(idOf(self));
  if (own && applied.object) {
    applied.managers.set(idOf(self), own.time === time ? own : { ...own, time, source: undefined });
  }
  return applied;
}

function update(writer: Writer, managers: Managers, before: JsonObject, after: JsonObject): Managers {
  const { versions, apiVersion, time } = writer;
  const { managers: others, own } = ownersAfterUpdate(versions, managers, {
    before,
    after,
    apiVersion,
    isMerged: false,
  });
  const set = own.difference(serverFields);
  if (!set.isEmpty) {
    const self = nameOf(writer, 'Update');
    const previous = others.get(idOf(self));
    others.set(idOf(self), { ...self, time, set: previous ? previous.set.union(set) : set });
  }
  return capUpdates(others);
}

function nameOf({ manager, apiVersion, subresource }: Writer, operation: 'Apply' | 'Update'): ManagerName {
  return { manager: manager === '' ? 'unknown' : manager, operation, apiVersion, subresource };
}

function strip(managers: Managers, id: string): void {
  const manager = managers.get(id);
  if (!manager) return;
  const set = manager.set.difference(serverFields);
  if (set.isEmpty) managers.delete(id);
  else managers.set(id, withSet(manager, set.equals(manager.set) ? manager.set : set));
}

/** Clients can set managers, except on subresources. An empty list or entry clears them, and malformed ones have no effect. */
function managersOf({ subresource }: Writer, live: ApiObject | undefined, object: ApiObject): Managers {
  const stored = live?.metadata.managedFields;
  const sent = subresource === '' ? object.metadata.managedFields : undefined;
  if (sent && !jsonEqual(sent, stored)) {
    const [first] = sent;
    if (!first || (sent.length === 1 && Object.keys(first).length === 0)) return new Map();
    const managers = decodeManagers(sent);
    if (managers && managers.size > 0) return reencoded(managers);
  }
  return (stored && decodeManagers(stored)) ?? new Map();
}

/** Clients may encode sets in any way: they are encoded again. */
function reencoded(managers: Managers): Managers {
  return new Map([...managers].map(([id, manager]) => [id, { ...manager, source: undefined }]));
}

function withoutManagers(object: ApiObject): JsonObject {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** The object before any field is set: only its type. */
function emptyObject({ apiVersion, kind }: JsonObject): JsonObject {
  return { apiVersion, kind };
}
