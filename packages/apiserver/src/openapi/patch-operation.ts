import type { JsonObject } from '../json/json-object.ts';
import { type Resource, apiVersionOf } from '../registry/resource.ts';
import { kindOf } from './define-resources.ts';
import type { OpenApiVersion } from './openapi-version.ts';

const patchTypes = [
  'application/json-patch+json',
  'application/merge-patch+json',
  'application/apply-patch+yaml',
];
const parameters = ['dryRun', 'fieldManager', 'fieldValidation', 'force'];

/** The paths of a document: for each kind the one operation that clients look for, which lists its patch types and parameters. */
export function patchPaths(resources: readonly Resource[], version: OpenApiVersion): JsonObject {
  return Object.fromEntries(
    resources.map((resource) => [pathOf(resource), { patch: patchOf(resource, version) }]),
  );
}

function pathOf({ group, version, plural, scope }: Resource): string {
  const root = `${group === '' ? '/api' : '/apis'}/${apiVersionOf({ group, version })}`;
  return `${root}${scope === 'Namespaced' ? '/namespaces/{namespace}' : ''}/${plural}/{name}`;
}

function patchOf(resource: Resource, version: OpenApiVersion): JsonObject {
  const types = resource.custom ? patchTypes : [...patchTypes, 'application/strategic-merge-patch+json'];
  const isSwagger = version === 2;
  return {
    ...(isSwagger && { consumes: types }),
    'x-kubernetes-action': 'patch',
    'x-kubernetes-group-version-kind': kindOf(resource),
    parameters: parameters.map((name) => {
      const schema = { type: name === 'force' ? 'boolean' : 'string', uniqueItems: true };
      return { name, in: 'query', ...(isSwagger ? schema : { schema }) };
    }),
    ...(!isSwagger && {
      requestBody: {
        content: Object.fromEntries(types.map((type) => [type, { schema: { type: 'object' } }])),
      },
    }),
    responses: { '200': { description: 'OK' } },
  };
}
