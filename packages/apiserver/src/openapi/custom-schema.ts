import { type JsonObject, getKey, isObject, setKey } from '../objects/json-object.ts';
import type { Resource } from '../registry/resource.ts';

const text = { type: 'string' };

/** The name of the definition of a custom resource: that of its group backwards, version and kind. */
export function definitionName({ group, version }: Resource, kind: string): string {
  return [...group.split('.').toReversed(), version, kind].join('.');
}

/**
 * The schema of a custom resource as it is published: that of its definition, and what every object has.
 *
 * @param metadata a reference to the definition of ObjectMeta
 */
export function customSchema({ definition }: Resource, metadata: JsonObject): JsonObject {
  const schema: unknown = definition?.schema?.openAPIV3Schema;
  const own = isObject(schema)
    ? withEmbedded(schema, metadata)
    : { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const properties = getKey(own, 'properties');
  const selectable = definition?.selectableFields ?? [];
  return {
    ...own,
    properties: { ...(isObject(properties) && properties), apiVersion: text, kind: text, metadata },
    ...(selectable.length > 0 && {
      'x-kubernetes-selectable-fields': selectable.map(({ jsonPath }) => ({
        fieldPath: jsonPath.replace(/^\./, ''),
      })),
    }),
  };
}

/** Puts type and metadata into the schemas of objects within objects. */
function withEmbedded(schema: JsonObject, metadata: JsonObject): JsonObject {
  const shown: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) setKey(shown, key, embeddedWithin(key, value, metadata));
  if (schema['x-kubernetes-embedded-resource'] !== true) return shown;
  const properties = getKey(shown, 'properties');
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return {
    ...shown,
    required: [...new Set([...required, 'kind', 'apiVersion'])],
    properties: { ...(isObject(properties) && properties), apiVersion: text, kind: text, metadata },
  };
}

function embeddedWithin(key: string, value: unknown, metadata: JsonObject): unknown {
  if (!isObject(value)) return value;
  if (key === 'items' || key === 'additionalProperties') return withEmbedded(value, metadata);
  if (key !== 'properties') return value;
  const shown: JsonObject = {};
  for (const [name, property] of Object.entries(value))
    setKey(shown, name, isObject(property) ? withEmbedded(property, metadata) : property);
  return shown;
}
