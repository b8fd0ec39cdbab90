import { isObject, setKey } from '../objects/json-object.ts';
import { type Schema, additionalSchema, itemSchema } from './json-schema.ts';

/**
 * Fills in the defaults of a schema, also inside of defaults. Changes the value.
 *
 * @param keepsNulls keep null where the schema neither allows it nor has a default: validation will mind
 */
export function applyDefaults(value: unknown, schema: Schema, keepsNulls = false): void {
  if (isObject(value)) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      applyToProperty(value, name, property, keepsNulls);
    }
    const additional = additionalSchema(schema);
    if (!additional) return;
    for (const [name, item] of Object.entries(value)) {
      if (!schema.properties || !Object.hasOwn(schema.properties, name))
        applyDefaults(item, additional, keepsNulls);
    }
  } else if (Array.isArray(value)) {
    const item = itemSchema(schema);
    if (item) for (const entry of value) applyDefaults(entry, item, keepsNulls);
  }
}

/** null counts as absent where the schema does not allow it: it is replaced by the default, or dropped. */
function applyToProperty(
  object: Record<string, unknown>,
  name: string,
  property: Schema,
  keepsNulls: boolean,
): void {
  const isPresent = Object.hasOwn(object, name);
  const isStrayNull = isPresent && object[name] === null && property.nullable !== true;
  if (property.default !== undefined && (!isPresent || isStrayNull)) {
    setKey(object, name, structuredClone(property.default));
  } else if (isStrayNull && !keepsNulls) {
    delete object[name];
  }
  if (Object.hasOwn(object, name)) applyDefaults(object[name], property, keepsNulls);
}
