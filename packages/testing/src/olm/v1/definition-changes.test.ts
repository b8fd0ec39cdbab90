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

const size = { type: 'integer', minimum: 1, maximum: 9 };
const place = 'v1: ^.spec.size';

test.each([
  ['a field that is gone', definition(undefined), 'existingFieldRemoval: removed field : v1.^.spec.size'],
  ['another type', definition({ ...size, type: 'string' }), `${place}: type: type changed`],
  ['a new default', definition({ ...size, default: 1 }), `${place}: default: default changed`],
  [
    'a new enum',
    definition({ ...size, enum: [1] }),
    `${place}: enum: enum constraint added when there was none previously`,
  ],
  ['a lower maximum', definition({ ...size, maximum: 3 }), `${place}: maximum: maximum decreased`],
  ['a higher minimum', definition({ ...size, minimum: 3 }), `${place}: minimum: minimum increased`],
  ['null', definition({ ...size, nullable: true }), `${place}: nullable: nullable changed`],
  [
    'a format',
    definition({ ...size, format: 'int32' }),
    `${place}: unhandled: unhandled changes found (format)`,
  ],
  [
    'a required field',
    definition(size, { required: ['size'] }),
    'v1: ^.spec: required: new required fields: [size]',
  ],
])('%s is refused', (_, newer, reason) => {
  expect(refusedChanges(definition(size), newer)).toEqual([reason]);
});

test('a new scope and a lost version are refused, what is relaxed or new is not', () => {
  const older = { ...definition(size), status: { storedVersions: ['v1alpha1', 'v1'] } };
  const relaxed = { type: 'integer', maximum: 10, description: 'more' };
  const newer = definition(relaxed, { properties: { size: relaxed, name: { type: 'string' } } });
  newer.spec.scope = 'Cluster';
  expect(refusedChanges(older, newer)).toEqual([
    'scope: scope changed : "Namespaced" -> "Cluster"',
    'storedVersionRemoval: stored versions removed : [v1alpha1]',
  ]);
});

test('a new version must understand the objects of the others, unless a webhook converts', () => {
  const newer = definition(size);
  const [v2] = definition({ ...size, type: 'string' }).spec.versions;
  newer.spec.versions.push({ ...v2!, name: 'v2', storage: false });
  expect(refusedChanges(definition(size), newer)).toEqual(['v1 -> v2: ^.spec.size: type: type changed']);
  newer.spec.conversion = { strategy: 'Webhook' };
  expect(refusedChanges(definition(size), newer)).toEqual([]);
});
