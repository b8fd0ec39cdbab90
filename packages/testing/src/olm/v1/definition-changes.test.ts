import type { CustomResourceDefinition, JSONSchemaProps } from 'ots-kubernetes/apiextensions/v1';
import { expect, test } from 'vitest';
import { refusedChanges } from './definition-changes.ts';

function definition(size: JSONSchemaProps | undefined, changes: object = {}): CustomResourceDefinition {
  const properties = { spec: { type: 'object', properties: size ? { size } : {}, ...changes } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'caches.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Cache', plural: 'caches' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties } },
        },
      ],
    },
  };
}

const size = { type: 'integer' };

test.each([
  ['a field that is gone', definition(undefined), 'existingFieldRemoval: removed field : v1.^.spec.size'],
  [
    'another type',
    definition({ type: 'string' }),
    'v1: ^.spec.size: type: type changed : "integer" -> "string"',
  ],
  ['a new default', definition({ ...size, default: 1 }), 'v1: ^.spec.size: default: default changed'],
  [
    'a new enum',
    definition({ ...size, enum: [1] }),
    'v1: ^.spec.size: enum: enum constraint added when there was none previously',
  ],
  [
    'a new bound',
    definition({ ...size, maximum: 3 }),
    'v1: ^.spec.size: maximum: constraint added when there was none previously : 3',
  ],
  [
    'a required field',
    definition(size, { required: ['size'] }),
    'v1: ^.spec: required: new required fields: [size]',
  ],
])('%s is refused', (_, newer, reason) => {
  expect(refusedChanges(definition(size), newer)).toEqual([reason]);
});

test('a new scope and a lost version are refused, a new field is not', () => {
  const older = { ...definition(size), status: { storedVersions: ['v1alpha1', 'v1'] } };
  const newer = definition(size, { properties: { size, name: { type: 'string' } } });
  newer.spec.scope = 'Cluster';
  expect(refusedChanges(older, newer)).toEqual([
    'scope: scope changed : "Namespaced" -> "Cluster"',
    'storedVersionRemoval: stored version "v1alpha1" removed',
  ]);
});
