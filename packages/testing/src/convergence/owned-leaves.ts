import type { DeepReadonly, KubernetesObject } from 'ots-runtime';

/** A field that has a value and no fields of its own. */
export interface Leaf {
  /** As in a JSON patch. */
  readonly pointer: string;
  readonly value: string | number | boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** Parts of an object that people do not edit to change what it does. */
const untouched = new Set([
  'apiVersion',
  'kind',
  'status',
  'finalizers',
  'ownerReferences',
  'name',
  'namespace',
]);

/**
 * The fields of an object that some field managers own.
 *
 * @param managers names, as `managedFields` has them
 */
export function ownedLeaves(object: DeepReadonly<KubernetesObject>, managers: ReadonlySet<string>): Leaf[] {
  const entries = (object.metadata.managedFields ?? []).filter(
    ({ manager = '', subresource = '' }) => managers.has(manager) && subresource === '',
  );
  const leaves = entries.flatMap(({ fieldsV1 }) => leavesIn(object, (fieldsV1 ?? {}) as Fields, ''));
  return [...new Map(leaves.map((leaf) => [leaf.pointer, leaf])).values()];
}

function leavesIn(
  value: unknown,
  fields: Fields,
  pointer: string,
  listKeys: ReadonlySet<string> = new Set(),
): Leaf[] {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return [{ pointer, value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(fields).flatMap(([field, below]) => {
    const key = keyOf(value, field);
    // With another key it would be another element, which server-side apply leaves alone.
    const isListKey = listKeys.has(key ?? '');
    if (key === undefined || isListKey || (pointer.split('/').length <= 2 && untouched.has(key))) return [];
    const child = (value as Record<string, unknown>)[key];
    const escaped = key.replaceAll('~', '~0').replaceAll('/', '~1');
    const keys = field.startsWith('k:') ? Object.keys(JSON.parse(field.slice(2)) as Fields) : [];
    return leavesIn(child, below as Fields, `${pointer}/${escaped}`, new Set(keys));
  });
}

/** What a part of `managedFields` stands for in an object: `f:` a field, `k:` an element of a list by its keys. */
function keyOf(value: object, field: string): string | undefined {
  if (field.startsWith('f:')) return field.slice(2);
  if (!field.startsWith('k:') || !Array.isArray(value)) return undefined;
  const keys = Object.entries(JSON.parse(field.slice(2)) as Fields);
  const index = value.findIndex((element: Fields) => keys.every(([key, wanted]) => element[key] === wanted));
  return index === -1 ? undefined : String(index);
}

/** Another value of the same type. */
export function editedValue({ value }: Leaf): Leaf['value'] {
  if (typeof value === 'boolean') return !value;
  return typeof value === 'number' ? value + 1 : `${value}-edited`;
}
