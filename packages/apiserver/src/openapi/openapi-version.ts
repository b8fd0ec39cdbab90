import type { JsonObject } from '../json/json-object.ts';

/** The versions of OpenAPI that the server publishes. */
export type OpenApiVersion = 2 | 3;

/** A reference to a definition of the same document. */
export function referenceTo(definition: string, version: OpenApiVersion): JsonObject {
  return { $ref: `#/${version === 2 ? 'definitions' : 'components/schemas'}/${definition}` };
}

/** A reference with a description: version 3 allows nothing beside a reference. */
export function describedReference(
  reference: JsonObject,
  description: JsonObject,
  version: OpenApiVersion,
): JsonObject {
  return version === 2 ? { ...description, ...reference } : { ...description, allOf: [reference] };
}
