import { type JsonObject, getKey, isObject, setKey } from '../json/json-object.ts';
import type { Resource } from '../registry/resource.ts';
import { typeDescriptions } from './describe-field.ts';
import { type OpenApiVersion, referenceTo } from './openapi-version.ts';
import { swaggerSchema } from './swagger-schema.ts';

const typeFields = {
  apiVersion: { description: typeDescriptions.apiVersion, type: 'string' },
  kind: { description: typeDescriptions.kind, type: 'string' },
};
const keepsUnknown = 'x-kubernetes-preserve-unknown-fields';

/** The definition name of a custom resource: its reversed group, version and kind. */
export function definitionName({ group, version }: Resource, kind: string): string {
  return [...group.split('.').toReversed(), version, kind].join('.');
}

/**
 * The published schema of a custom resource: that of its definition, with the fields of every object.
 *
 * @param metadata the description of an object's metadata
 */
export function customSchema(resource: Resource, metadata: JsonObject, version: OpenApiVersion): JsonObject {
  const given: unknown = resource.definition?.schema?.openAPIV3Schema;
  const schema = isObject(given) ? given : { type: 'object', [keepsUnknown]: true };
  // Clients of version 2 would treat unlisted fields as unknown.
  if (version === 2 && schema[keepsUnknown] === true)
    return { type: 'object', ...selectableFields(resource) };
  const own = withEmbedded(version === 2 ? swaggerSchema(schema) : schema, metadata, version);
  const properties = getKey(own, 'properties');
  return {
    ...own,
    properties: { ...(isObject(properties) && properties), ...typeFields, metadata },
    ...selectableFields(resource),
  };
}

/**
 * The schema of a list of custom resources.
 *
 * @param metadata the description of a list's metadata
 */
export function customListSchema(
  resource: Resource,
  metadata: JsonObject,
  version: OpenApiVersion,
): JsonObject {
  const { kind, listKind, plural } = resource;
  const items = referenceTo(definitionName(resource, kind), version);
  return {
    description: `${listKind} is a list of ${kind}`,
    type: 'object',
    required: ['items'],
    properties: {
      ...typeFields,
      items: { description: `List of ${plural}.`, type: 'array', items },
      metadata,
    },
    ...selectableFields(resource),
  };
}

function selectableFields({ definition }: Resource): JsonObject {
  const selectable = definition?.selectableFields ?? [];
  if (selectable.length === 0) return {};
  return {
    'x-kubernetes-selectable-fields': selectable.map(({ jsonPath }) => ({
      fieldPath: jsonPath.replace(/^\./, ''),
    })),
  };
}

/** Adds type and metadata to the schemas of embedded objects. */
function withEmbedded(schema: JsonObject, metadata: JsonObject, version: OpenApiVersion): JsonObject {
  const shown: JsonObject = {};
  for (const [key, value] of Object.entries(schema)) {
    setKey(
      shown,
      key,
      embeddedWithin(key, value, (inner) => withEmbedded(inner, metadata, version)),
    );
  }
  if (schema['x-kubernetes-embedded-resource'] !== true) return shown;
  if (version === 2 && schema[keepsUnknown] === true) return shown;
  const properties = getKey(shown, 'properties');
  const required = Array.isArray(schema['required']) ? (schema['required'] as unknown[]) : [];
  return {
    ...shown,
    required: [...new Set([...required, 'kind', 'apiVersion'])],
    properties: { ...(isObject(properties) && properties), ...typeFields, metadata },
  };
}

function embeddedWithin(key: string, value: unknown, embed: (schema: JsonObject) => JsonObject): unknown {
  if (!isObject(value)) return value;
  if (key === 'items' || key === 'additionalProperties') return embed(value);
  if (key !== 'properties') return value;
  const shown: JsonObject = {};
  for (const [name, property] of Object.entries(value))
    setKey(shown, name, isObject(property) ? embed(property) : property);
  return shown;
}
