import type { ManagedFieldsEntry } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Moves the field managers of a custom resource to one version. If a CRD no longer has the version of an entry, the
 * next update of the object loses all entries, and the next apply conflicts with `before-first-apply`.
 * @param to the version (`apiVersion`). Entries of other groups stay: those of the subresource `scale`.
 * @returns the new entries; undefined if there is nothing to move.
 */
export function movedManagers(
  entries: DeepReadonly<ManagedFieldsEntry[]> | undefined,
  to: string,
): DeepReadonly<ManagedFieldsEntry>[] | undefined {
  const group = to.slice(0, to.indexOf('/') + 1);
  const isOld = ({ apiVersion }: DeepReadonly<ManagedFieldsEntry>): boolean =>
    apiVersion !== undefined && apiVersion !== to && apiVersion.startsWith(group);
  if (!entries?.some(isOld)) return undefined;
  const moved = new Map<string, DeepReadonly<ManagedFieldsEntry>>();
  for (const entry of entries) {
    const current = isOld(entry) ? { ...entry, apiVersion: to } : entry;
    const { manager, operation, subresource, apiVersion } = current;
    const key = JSON.stringify([manager, operation, subresource, apiVersion]);
    const twin = moved.get(key);
    moved.set(key, twin ? joined(twin, current) : current);
  }
  return [...moved.values()];
}

/** A manager that has updated the object in both versions owns the fields of both entries. */
function joined(
  one: DeepReadonly<ManagedFieldsEntry>,
  other: DeepReadonly<ManagedFieldsEntry>,
): DeepReadonly<ManagedFieldsEntry> {
  const [earlier, later] = (one.time ?? '') <= (other.time ?? '') ? [one, other] : [other, one];
  return { ...later, fieldsV1: union(earlier.fieldsV1 ?? {}, later.fieldsV1 ?? {}) };
}

/** The union of two sets of fields (FieldsV1): nested objects whose leaves are empty. */
function union(one: Fields, other: Fields): Record<string, unknown> {
  const result: Record<string, unknown> = { ...one };
  for (const [path, fields] of Object.entries(other)) {
    result[path] = union((result[path] ?? {}) as Fields, fields as Fields);
  }
  return result;
}
