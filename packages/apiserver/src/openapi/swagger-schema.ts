import { type JsonObject, getKey, isObject, setKey } from '../json/json-object.ts';

const junctors = ['allOf', 'anyOf', 'oneOf', 'not'];

/**
 * Converts the schema of a definition to OpenAPI 2: without alternatives and defaults, and without schemas of
 * values that may be null or have unknown fields, because clients would treat them as complete. Source:
 * apiextensions-apiserver, ToStructuralOpenAPIV2.
 */
export function swaggerSchema(schema: JsonObject): JsonObject {
  const isNullable = schema['nullable'] === true;
  const isOpen = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const shown: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    const isLost =
      junctors.includes(key) ||
      key === 'default' ||
      key === 'nullable' ||
      ((isNullable || isOpen) && (key === 'items' || key === 'properties'));
    if (!isLost) setKey(shown, key, within(key, value));
  }
  const isUntypedList = shown['type'] === 'array' && getKey(shown, 'items') === undefined;
  if (isNullable || isUntypedList || (isOpen && shown['type'] === 'object')) delete shown['type'];
  const required = requiredOf(schema, shown);
  if (required.length > 0) shown['required'] = required;
  else delete shown['required'];
  return shown;
}

function within(key: string, value: unknown): unknown {
  if (!isObject(value)) return value;
  if (key === 'items' || key === 'additionalProperties') return swaggerSchema(value);
  if (key !== 'properties') return value;
  const shown: JsonObject = {};
  for (const [name, property] of Object.entries(value))
    setKey(shown, name, isObject(property) ? swaggerSchema(property) : property);
  return shown;
}

/** A nullable field is not required. */
function requiredOf(schema: JsonObject, shown: JsonObject): unknown[] {
  const { required, additionalProperties } = schema;
  if (!Array.isArray(required)) return [];
  if (isObject(additionalProperties) && additionalProperties['nullable'] === true) return [];
  const properties = 'properties' in shown ? schema['properties'] : undefined;
  return required.filter((name: string) => {
    const property = isObject(properties) ? getKey(properties, name) : undefined;
    return !isObject(property) || property['nullable'] !== true;
  });
}
