import type { Tag } from '../markers/tag.ts';
import type { Fail } from './apply-tags.ts';
import { isCondition } from './builtin-types.ts';
import { describeSchema } from './schema.ts';
import type { Schema } from './schema.ts';

/** Applies @listType and @listMapKey, which make sense only together. A list of conditions is keyed by their type unless told otherwise. */
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
  if (keys[0] && type?.value !== 'map') failFor(keys[0])('needs @listType map beside it');
  if (!type) return;
  if (!['atomic', 'set', 'map'].includes(type.value)) return failFor(type)('must be atomic, set or map');
  schema['x-kubernetes-list-type'] = type.value;
  if (type.value === 'set') checkSet(schema.items!, failFor(type));
  if (type.value === 'map') setKeys(schema, type, keys, failFor);
}

function checkSet(items: Schema, fail: Fail): void {
  const atomic = items['x-kubernetes-list-type'] === 'atomic' || items['x-kubernetes-map-type'] === 'atomic';
  if ((items.type === 'object' || items.type === 'array') && !atomic) {
    fail(
      `set is for items that are compared as a whole, and these are ${items.type}s`,
      'write @listType map with a @listMapKey',
    );
  } else if (items.nullable) {
    fail('set cannot have null items');
  }
}

function setKeys(schema: Schema, type: Tag, keys: readonly Tag[], failFor: (tag: Tag) => Fail): void {
  const items = schema.items!;
  if (!items.properties)
    return failFor(type)(`map is for items with properties, and these are ${items.type ?? 'scalar'}s`);
  if (items.nullable) return failFor(type)('map cannot have null items');
  if (keys.length === 0)
    return failFor(type)(
      'map needs to know its keys',
      'add @listMapKey with the name of a property of the items',
    );
  schema['x-kubernetes-list-map-keys'] = keys.map((key) => key.value);
  for (const key of keys) {
    const property = items.properties.get(key.value);
    const fail = failFor(key);
    if (!property) {
      fail(`names no property of the items`, `they have ${[...items.properties.keys()].join(', ')}`);
    } else if (property.type === 'object' || property.type === 'array') {
      fail(`${key.value} must name a property with a single value`);
    } else if (property.nullable) {
      fail(`${key.value} names a property that can be null`);
    } else if (!items.required?.includes(key.value) && property.default === undefined) {
      fail(`${key.value} names a property that can be missing`, 'remove its `?`, or give it a @default');
    }
  }
  const values = keys.map((key) => key.value);
  const repeated = keys.find((key, index) => values.indexOf(key.value) !== index);
  if (repeated) failFor(repeated)(`${repeated.value} is given twice`);
}
