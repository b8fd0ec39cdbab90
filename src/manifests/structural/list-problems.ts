import type { Schema } from '../schema/schema.ts';
import type { Complain } from './structural-problems.ts';

/** Checks the API server's requirements for arrays, including sets and maps. */
export function listProblems(schema: Schema, complain: Complain): void {
  const { items } = schema;
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema.type !== 'array') {
    if (items) complain('only an array has items', 'remove the tag that changes the type');
    if (listType || keys.length > 0)
      complain('only an array has a list type', 'remove @listType and @listMapKey');
    return;
  }
  if (!items) return complain('the type of the array items is missing', 'write T[]');
  if (keys.length > 0 && listType !== 'map') complain('only a map has keys', 'add @listType map');
  if (listType !== 'set' && listType !== 'map') return;
  if (items.nullable)
    complain(`the items of a ${listType} cannot be null`, 'remove null from the type of the items');
  if (listType === 'set') checkSet(items, complain);
  else checkMap(items, keys, complain);
}

function checkSet(items: Schema, complain: Complain): void {
  const isAtomic =
    items.type === 'array'
      ? (items['x-kubernetes-list-type'] ?? 'atomic') === 'atomic'
      : items.type !== 'object' || items['x-kubernetes-map-type'] === 'atomic';
  if (!isAtomic)
    complain(
      'the items of a set are compared as a whole, so they must be scalar or atomic',
      'write @listType map with a @listMapKey, or make the type of the items atomic',
    );
}

function checkMap(items: Schema, keys: readonly string[], complain: Complain): void {
  if (items.type !== 'object') return complain('the items of a map are objects', 'write @listType set');
  if (keys.length === 0) complain('a map needs keys', 'add @listMapKey');
  if (new Set(keys).size < keys.length)
    complain('a key of the map is listed twice', 'remove one @listMapKey');
  for (const key of keys) {
    const property = items.properties?.get(key);
    if (!property) complain(`the items have no property ${key}`, 'name a property in @listMapKey');
    else if (property.type === 'object' || property.type === 'array')
      complain(`${key} is a key and so must have a single value`, 'name another property in @listMapKey');
    else if (property.nullable)
      complain(`${key} is a key and so cannot be null`, 'remove null from its type');
    else if (!items.required?.includes(key) && property.default === undefined)
      complain(`${key} is a key and so cannot be missing`, 'remove its `?`, or give it a @default');
  }
}
