import { objectSchema } from 'ots-kubernetes/object-schemas';
import type { JsonObject } from '../objects/json-object.ts';
import { type Resource, apiVersionOf } from '../registry/resource.ts';
import { BuiltInSchemas } from './built-in-schemas.ts';
import { customSchema, definitionName } from './custom-schema.ts';

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
];

/**
 * The OpenAPI 3 document of one group and version: the schemas of its kinds, and of each kind the one operation that clients look
 * for, which tells what patches and parameters it takes.
 */
export function groupVersionDocument(resources: readonly Resource[]): JsonObject {
  const definitions = new BuiltInSchemas();
  const custom: JsonObject = {};
  for (const resource of resources) {
    if (resource.custom) Object.assign(custom, customDefinitions(resource, definitions));
    else defineBuiltIn(resource, definitions);
  }
  return {
    openapi: '3.0.0',
    info: { title: 'Kubernetes', version: 'v1.36.3' },
    paths: Object.fromEntries(resources.map((resource) => [pathOf(resource), { patch: patchOf(resource) }])),
    components: { schemas: { ...definitions.schemas, ...custom } },
  };
}

function defineBuiltIn({ group, version, kind, listKind }: Resource, definitions: BuiltInSchemas): void {
  for (const name of [kind, listKind]) {
    const schema = objectSchema(group, version, name);
    if (schema) definitions.define(schema, kindExtension({ group, version, kind: name }));
  }
}

function customDefinitions(resource: Resource, definitions: BuiltInSchemas): JsonObject {
  const { kind, listKind, plural } = resource;
  const name = definitionName(resource, kind);
  return {
    [name]: { ...customSchema(resource, metadataOf(definitions, 'ConfigMap')), ...kindExtension(resource) },
    [definitionName(resource, listKind)]: {
      description: `${listKind} is a list of ${kind}`,
      type: 'object',
      required: ['items'],
      properties: {
        apiVersion: { type: 'string' },
        items: {
          description: `List of ${plural}.`,
          type: 'array',
          items: { $ref: `#/components/schemas/${name}` },
        },
        kind: { type: 'string' },
        metadata: metadataOf(definitions, 'ConfigMapList'),
      },
      ...kindExtension({ ...resource, kind: listKind }),
    },
  };
}

/** A reference to what a kind has as its metadata: all have the same. */
function metadataOf(definitions: BuiltInSchemas, kind: string): JsonObject {
  const schema = objectSchema('', 'v1', kind)?.properties?.get('metadata');
  return schema ? { allOf: [definitions.define(schema)] } : {};
}

function pathOf({ group, version, plural, scope }: Resource): string {
  const root = `${group === '' ? '/api' : '/apis'}/${apiVersionOf({ group, version })}`;
  return `${root}${scope === 'Namespaced' ? '/namespaces/{namespace}' : ''}/${plural}/{name}`;
}

function patchOf(resource: Resource): JsonObject {
  const types = resource.custom ? patchTypes : [...patchTypes, 'application/strategic-merge-patch+json'];
  return {
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': kindOf(resource),
    parameters: ['dryRun', 'fieldManager', 'fieldValidation', 'force'].map((name) => ({
      name,
      in: 'query',
      schema: { type: name === 'force' ? 'boolean' : 'string', uniqueItems: true },
    })),
    requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'object' } }])) },
    responses: { '200': { description: 'OK' } },
  };
}

function kindExtension(resource: { group: string; version: string; kind: string }): JsonObject {
  return { 'x-kubernetes-group-version-kind': [kindOf(resource)] };
}

function kindOf({ group, version, kind }: { group: string; version: string; kind: string }): JsonObject {
  return { group, kind, version };
}
