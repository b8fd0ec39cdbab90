import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { isCondition } from '../schema/builtin-types.ts';
import { readText } from './read-value.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';

/**
 * Applies @listType and @listMapKey, which make sense only together. By default, a list of conditions is
 * keyed by type.
 */
export function applyListTags(
  schema: Schema,
  tags: ReadonlyMap<string, readonly Tag[]>,
  failFor: (tag: Tag) => Fail,
): void {
  const [type] = tags.get('listType') ?? [];
  const keys = tags.get('listMapKey') ?? [];
  for (const tag of type ? [type, ...keys] : keys) {
    if (schema.type !== 'array') return failFor(tag)(`is for arrays, and this is ${describeSchema(schema)}`);
  }
  if (
    !type &&
    keys.length === 0 &&
    schema.items &&
    isCondition(schema.items) &&
    !schema['x-kubernetes-list-type']
  ) {
    schema['x-kubernetes-list-type'] = 'map';
    schema['x-kubernetes-list-map-keys'] = ['type'];
  }
  const listType = type && readText(type, failFor(type));
  if (keys[0] && listType !== 'map') failFor(keys[0])('also needs @listType map');
  if (!type || listType === undefined) return;
  if (!['atomic', 'set', 'map'].includes(listType)) return failFor(type)('must be atomic, set or map');
  const keyNames = keys.map((key) => readText(key, failFor(key)));
  let valid = !keyNames.includes(undefined);
  const check = (tag: Tag, problem: Problem | undefined) => {
    if (problem) failFor(tag)(...problem);
    valid &&= !problem;
  };
  if (listType === 'set') check(type, setProblem(schema.items!));
  if (listType === 'map') {
    check(type, mapProblem(schema.items!, keys));
    if (valid)
      for (const [index, key] of keys.entries()) check(key, keyProblem(schema.items!, keyNames, index));
  }
  if (!valid) return;
  schema['x-kubernetes-list-type'] = listType;
  if (listType === 'map')
    schema['x-kubernetes-list-map-keys'] = keyNames.filter((name) => name !== undefined);
}

type Problem = [message: string, hint?: string];

function setProblem(items: Schema): Problem | undefined {
  // By default, lists are atomic and objects are not.
  const { 'x-kubernetes-list-type': listType = 'atomic', 'x-kubernetes-map-type': mapType } = items;
  if (
    (items.type === 'object' && mapType !== 'atomic') ||
    (items.type === 'array' && listType !== 'atomic')
  ) {
    const message = `set is for items that are compared as a whole, and these are ${items.type}s`;
    return [message, 'write @listType map with a @listMapKey'];
  }
  return items.nullable ? ['set cannot have null items'] : undefined;
}

function mapProblem(items: Schema, keys: readonly Tag[]): Problem | undefined {
  if (!items.properties)
    return [`map is for items with properties, and these are ${items.type ?? 'scalar'}s`];
  if (items.nullable) return ['map cannot have null items'];
  if (keys.length > 0) return undefined;
  return ['map needs keys', 'add @listMapKey with the name of a property of the items'];
}

function keyProblem(
  items: Schema,
  names: readonly (string | undefined)[],
  index: number,
): Problem | undefined {
  const name = names[index]!;
  const property = items.properties!.get(name);
  if (names.indexOf(name) < index) return [`${name} is given twice`];
  if (!property)
    return ['does not name a property of the items', `they have ${[...items.properties!.keys()].join(', ')}`];
  if (property.type === 'object' || property.type === 'array')
    return [`${name} must name a property with a single value`];
  if (property.nullable) return [`${name} names a property that can be null`];
  if (items.required?.includes(name) || property.default !== undefined) return undefined;
  return [`${name} names a property that can be missing`, 'remove its `?`, or give it a @default'];
}

/** Applies @mapType or its synonym @structType. */
export function setMapType(schema: Schema, tag: Tag, fail: Fail): void {
  if (schema.type !== 'object') return fail(`is for objects, and this is ${describeSchema(schema)}`);
  const type = readText(tag, fail);
  if (type === undefined) return;
  if (type !== 'atomic' && type !== 'granular') return fail('must be atomic or granular');
  schema['x-kubernetes-map-type'] = type;
}
