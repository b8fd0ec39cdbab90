import type { Schema } from '../schema/schema.ts';
import type { ReportProblem } from './structural-problems.ts';

/** Checks the API server's requirements for arrays, including sets and maps. */
export function listProblems(schema: Schema, report: ReportProblem): void {
  const { items } = schema;
  const listType = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  if (schema.type !== 'array') {
    if (items) report('only an array has items', 'remove the tag that changes the type');
    if (listType || keys.length > 0)
      report('only an array has a list type', 'remove @listType and @listMapKey');
    return;
  }
  if (!items) return report('the type of the array items is missing', 'write T[]');
  if (keys.length > 0 && listType !== 'map') report('only a map has keys', 'add @listType map');
  if (listType !== 'set' && listType !== 'map') return;
  if (items.nullable)
    report(`the items of a ${listType} cannot be null`, 'remove null from the type of the items');
  if (listType === 'set') checkSet(items, report);
  else checkMap(items, keys, report);
}

function checkSet(items: Schema, report: ReportProblem): void {
  const isAtomic =
    items.type === 'array'
      ? (items['x-kubernetes-list-type'] ?? 'atomic') === 'atomic'
      : items.type !== 'object' || items['x-kubernetes-map-type'] === 'atomic';
  if (!isAtomic)
    report(
      'the items of a set are compared as a whole, so they must be scalar or atomic',
      'write @listType map with a @listMapKey, or make the type of the items atomic',
    );
}

function checkMap(items: Schema, keys: readonly string[], report: ReportProblem): void {
  if (items.type !== 'object') return report('the items of a map are objects', 'write @listType set');
  if (keys.length === 0) report('a map needs keys', 'add @listMapKey');
  if (new Set(keys).size < keys.length) report('a key of the map is listed twice', 'remove one @listMapKey');
  for (const key of keys) {
    const property = items.properties?.get(key);
    if (!property) report(`the items have no property ${key}`, 'name a property in @listMapKey');
    else if (property.type === 'object' || property.type === 'array')
      report(`${key} is a key and so must have a single value`, 'name another property in @listMapKey');
    else if (property.nullable) report(`${key} is a key and so cannot be null`, 'remove null from its type');
    else if (!items.required?.includes(key) && property.default === undefined)
      report(`${key} is a key and so cannot be missing`, 'remove its `?`, or give it a @default');
  }
}
