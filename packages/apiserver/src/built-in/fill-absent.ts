import type { ObjectSchema } from 'ots-kubernetes/object-schema';
import { type JsonObject, isObject } from '../objects/json-object.ts';

/** Gives every struct of a value the fields that a server writes where they are absent. Changes the value. */
export function fillAbsent(value: unknown, schema: ObjectSchema): void {
  const { properties, items, additionalProperties } = schema;
  if (Array.isArray(value)) {
    if (items) for (const item of value) fillAbsent(item, items);
  } else if (isObject(value)) {
    if (properties) fillFields(value, properties);
    else if (additionalProperties)
      for (const item of Object.values(value)) fillAbsent(item, additionalProperties);
  }
}

function fillFields(value: JsonObject, properties: ReadonlyMap<string, ObjectSchema>): void {
  for (const [name, schema] of properties) {
    if (value[name] === undefined && schema.whenAbsent !== undefined)
      value[name] = structuredClone(schema.whenAbsent);
    if (value[name] !== undefined) fillAbsent(value[name], schema);
  }
}
