import { cloneJson } from '../json/clone-json.ts';
import { isObject, setKey } from '../json/json-object.ts';
import { type Schema, additionalSchema, itemSchema } from './json-schema.ts';

/** Sets the defaults of a schema, including nested ones. Null counts as absent where it is not allowed. Changes the value. */
export function applyDefaults(value: unknown, schema: Schema): void {
  if (isObject(value)) applyToObject(value, schema);
  else if (Array.isArray(value)) applyToList(value, itemSchema(schema));
}

function applyToObject(object: Record<string, unknown>, schema: Schema): void {
  const { properties = {} } = schema;
  for (const name of Object.keys(properties)) {
    const property = properties[name];
    if (property?.default === undefined) continue;
    if (!Object.hasOwn(object, name) || isInvalidNull(object[name], property))
      setKey(object, name, cloneJson(property.default));
  }
  const additional = additionalSchema(schema);
  for (const name of Object.keys(object)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property) {
      applyDefaults(object[name], property);
    } else if (additional) {
      if (isInvalidNull(object[name], additional)) setKey(object, name, defaultOf(additional));
      applyDefaults(object[name], additional);
    }
  }
}

function applyToList(list: unknown[], item: Schema | undefined): void {
  if (!item) return;
  for (const [index, entry] of list.entries()) {
    if (isInvalidNull(entry, item)) list[index] = defaultOf(item);
    applyDefaults(list[index], item);
  }
}

function defaultOf({ default: value = null }: Schema): unknown {
  return cloneJson(value);
}

/** Whether a value is null where null is not allowed. */
export function isInvalidNull(value: unknown, { nullable }: Schema): boolean {
  return value === null && nullable !== true;
}
