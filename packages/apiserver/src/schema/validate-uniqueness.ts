import { goJson } from '../json/go-json.ts';
import { isObject } from '../json/json-object.ts';
import { sortKeys } from '../json/sort-keys.ts';
import { type FieldError, duplicate, invalid } from '../status/field-error.ts';
import { type Schema, itemSchema, propertySchema } from './json-schema.ts';

/** Finds duplicate items in lists of type `set` and `map`. */
export function validateUniqueness(value: unknown, schema: Schema, path = ''): FieldError[] {
  if (Array.isArray(value)) {
    const item = itemSchema(schema);
    return [
      ...duplicatesIn(value, schema, path),
      ...(item ? value.flatMap((entry, index) => validateUniqueness(entry, item, `${path}[${index}]`)) : []),
    ];
  }
  if (!isObject(value)) return [];
  return Object.keys(value).flatMap((name) => {
    const property = propertySchema(schema, name);
    if (!property) return [];
    const isKey = !schema.properties || !Object.hasOwn(schema.properties, name);
    return validateUniqueness(value[name], property, isKey ? `${path}[${name}]` : join(path, name));
  });
}

function duplicatesIn(list: readonly unknown[], schema: Schema, path: string): FieldError[] {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return [];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const invalidIndex = type === 'map' ? list.findIndex((entry) => entry !== null && !isObject(entry)) : -1;
  if (invalidIndex !== -1) {
    const detail = 'must be an object for an array of list-type map';
    return [invalid(`${path}[${invalidIndex}]`, list[invalidIndex], detail)];
  }
  const seen = new Map<string, number>();
  const errors: FieldError[] = [];
  for (const [index, entry] of list.entries()) {
    const identity = type === 'set' ? entry : identityOf(entry, keys);
    const text = goJson(identity);
    const times = seen.get(text) ?? 0;
    // Report each duplicate once, however often it occurs.
    if (times === 1) errors.push(duplicate(`${path}[${index}]`, sortKeys(identity)));
    seen.set(text, times + 1);
  }
  return errors;
}

function identityOf(entry: unknown, keys: readonly string[]): unknown {
  if (!isObject(entry)) return {};
  const present = keys.filter((key) => Object.hasOwn(entry, key)).toSorted();
  return Object.fromEntries(present.map((key) => [key, entry[key]]));
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
