import { isObject } from '../json/json-object.ts';
import { isInvalidNull } from './apply-defaults.ts';
import { type Schema, itemSchema, propertySchema } from './json-schema.ts';

/** Removes null fields where null is neither allowed nor replaced by a default. Changes the value. */
export function pruneNulls(value: unknown, schema: Schema): void {
  if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const property = propertySchema(schema, name);
      if (!property) continue;
      if (property.default === undefined && isInvalidNull(value[name], property)) delete value[name];
      else pruneNulls(value[name], property);
    }
  } else if (Array.isArray(value)) {
    const item = itemSchema(schema);
    if (item) for (const entry of value) pruneNulls(entry, item);
  }
}
