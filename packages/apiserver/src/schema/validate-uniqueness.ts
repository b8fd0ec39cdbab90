import { type JsonObject, isObject } from '../objects/json-object.ts';
import { type FieldError, duplicate } from '../status/field-error.ts';
import { type Schema, itemSchema, propertySchema } from './json-schema.ts';

/** Finds the items that lists of type `set` and `map` hold twice. */
export function validateUniqueness(value: unknown, schema: Schema, path = ''): FieldError[] {
  if (Array.isArray(value)) {
    const item = itemSchema(schema);
    return [
      ...duplicatesIn(value, schema, path),
      ...(item ? value.flatMap((entry, index) => validateUniqueness(entry, item, `${path}[${index}]`)) : []),
    ];
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, entry]) => {
    const property = propertySchema(schema, name);
    return property ? validateUniqueness(entry, property, path === '' ? name : `${path}.${name}`) : [];
  });
}

function duplicatesIn(list: readonly unknown[], schema: Schema, path: string): FieldError[] {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'set' && type !== 'map') return [];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  for (const [index, entry] of list.entries()) {
    const identity = type === 'set' ? entry : identityOf(entry, keys);
    const text = JSON.stringify(identity);
    if (seen.has(text)) errors.push(duplicate(`${path}[${index}]`, identity));
    seen.add(text);
  }
  return errors;
}

function identityOf(entry: unknown, keys: readonly string[]): JsonObject {
  if (!isObject(entry)) return {};
  const present = keys.filter((key) => Object.hasOwn(entry, key)).toSorted();
  return Object.fromEntries(present.map((key) => [key, entry[key]]));
}
