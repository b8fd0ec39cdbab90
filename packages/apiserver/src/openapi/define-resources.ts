import { objectSchema } from 'ots-kubernetes/object-schemas';
import type { JsonObject } from '../json/json-object.ts';
import type { Resource } from '../registry/resource.ts';
import { BuiltInSchemas } from './built-in-schemas.ts';
import { customListSchema, customSchema, definitionName } from './custom-schema.ts';
import { type OpenApiVersion, describedReference } from './openapi-version.ts';
import { metadataDescriptions } from './describe-field.ts';

/** The definitions of a document: the kinds of resources, their lists, and everything they refer to. */
export function defineResources(resources: readonly Resource[], version: OpenApiVersion): JsonObject {
  const definitions = new BuiltInSchemas(version);
  const custom: JsonObject = {};
  for (const resource of resources) {
    if (resource.custom) Object.assign(custom, customDefinitions(resource, definitions, version));
    else defineBuiltIn(resource, definitions);
  }
  return { ...definitions.schemas, ...custom };
}

/** Group, version and kind in the notation of the documents. */
export function kindOf({
  group,
  version,
  kind,
}: {
  group: string;
  version: string;
  kind: string;
}): JsonObject {
  return { group, kind, version };
}

function defineBuiltIn({ group, version, kind, listKind }: Resource, definitions: BuiltInSchemas): void {
  for (const name of [kind, listKind]) {
    const schema = objectSchema(group, version, name);
    if (schema) definitions.define(schema, kindExtension({ group, version, kind: name }));
  }
}

function customDefinitions(
  resource: Resource,
  definitions: BuiltInSchemas,
  version: OpenApiVersion,
): JsonObject {
  const { kind, listKind } = resource;
  const metadataOf = (of: 'object' | 'list') =>
    describedReference(
      referenceToMetadata(definitions, of),
      { description: metadataDescriptions[of] },
      version,
    );
  return {
    [definitionName(resource, kind)]: {
      ...customSchema(resource, metadataOf('object'), version),
      ...kindExtension(resource),
    },
    [definitionName(resource, listKind)]: {
      ...customListSchema(resource, metadataOf('list'), version),
      ...kindExtension({ ...resource, kind: listKind }),
    },
  };
}

/** All kinds have the same metadata as this one. */
function referenceToMetadata(definitions: BuiltInSchemas, of: 'object' | 'list'): JsonObject {
  const schema = objectSchema('', 'v1', of === 'list' ? 'ConfigMapList' : 'ConfigMap')?.properties?.get(
    'metadata',
  );
  return schema ? definitions.define(schema) : {};
}

function kindExtension(resource: { group: string; version: string; kind: string }): JsonObject {
  return { 'x-kubernetes-group-version-kind': [kindOf(resource)] };
}
