import { describe, expect, test } from 'vitest';
import { acceptedSchemas } from './accepted-schemas.ts';
import { apiSource } from './api-source.ts';
import { generate } from './generate.ts';

const crdPath = 'config/crd/bases/a.example.com_foos.yaml';

function kindSchema(files: Readonly<Record<string, string>>): any {
  return generate(files)[crdPath]![0].spec.versions[0].schema.openAPIV3Schema;
}

describe('the schema of a type', () => {
  test.each(acceptedSchemas)('$name', ({ spec, types, schema, optional = false }) => {
    const source = apiSource({ spec, ...(types === undefined ? {} : { types }) });
    const { properties, required } = kindSchema({ 'src/api/v1/foo.ts': source }).properties.spec;
    expect(properties.x).toEqual(schema);
    expect(Object.keys(properties.x)).toEqual(Object.keys(properties.x).toSorted());
    expect(required ?? []).toEqual(optional ? [] : ['x']);
  });

  test('a list of conditions is keyed by type, and has the constraints of the Go type', () => {
    const { x } = kindSchema({ 'src/a.ts': apiSource({ spec: 'x?: Condition[];' }) }).properties.spec
      .properties;
    expect(x).toMatchObject({
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
    });
    expect(x.items.required).toEqual(['lastTransitionTime', 'message', 'reason', 'status', 'type']);
    expect(x.items.properties).toMatchObject({
      lastTransitionTime: { type: 'string', format: 'date-time' },
      message: { type: 'string', maxLength: 32768 },
      observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
      reason: { minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
      status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
      type: { maxLength: 316 },
    });
  });

  test('a tag overrides the defaults of a list of conditions', () => {
    const source = apiSource({ spec: '/** @listType atomic */ x?: Condition[];' });
    const { x } = kindSchema({ 'src/a.ts': source }).properties.spec.properties;
    expect(x['x-kubernetes-list-type']).toBe('atomic');
    expect(x).not.toHaveProperty('x-kubernetes-list-map-keys');
  });

  test('the fields of every object are typed', () => {
    const schema = kindSchema({ 'src/a.ts': apiSource({ members: 'metadata: ObjectMeta; data?: string;' }) });
    expect(schema).toMatchObject({
      type: 'object',
      description: 'A Foo.',
      required: ['spec'],
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { type: 'object' },
        data: { type: 'string' },
      },
    });
    expect(schema.properties.metadata).toEqual({ type: 'object' });
  });
});

describe('types of other files', () => {
  const shared = '/** One part. */ export interface Part { a: string } export type { Part as Piece };';
  test.each([
    ['an import with .ts', `import type { Part } from '../shared/part.ts';`, 'Part'],
    ['an import with .js', `import { type Part } from '../shared/part.js';`, 'Part'],
    ['an import without extension', `import type { Part } from '../shared/part';`, 'Part'],
    ['an import of a folder', `import type { Part } from '../shared';`, 'Part'],
    ['an alias', `import type { Part as Other } from '../shared/part.ts';`, 'Other'],
    ['an exported alias', `import type { Piece } from '../shared/part.ts';`, 'Piece'],
    ['a namespace', `import type * as parts from '../shared/part.ts';`, 'parts.Part'],
    ['a re-export', `import type { Deep } from '../shared/deep.ts';`, 'Deep'],
    ['a default export', `import type Whole from '../shared/whole.ts';`, 'Whole'],
  ])('%s', (_, imports, name) => {
    const schema = kindSchema({
      'src/api/foo.ts': apiSource({ imports, spec: `x: ${name};` }),
      'src/shared/part.ts': shared,
      'src/shared/index.ts': `export * from './cycle.ts';`,
      'src/shared/cycle.ts': `export * from './index.ts'; export * from './part.ts';`,
      'src/shared/deep.ts': `import type { Part } from './part.ts'; export type { Part as Deep };`,
      'src/shared/whole.ts': `/** One part. */ export default interface Whole { a: string }`,
    });
    const expected = {
      type: 'object',
      description: 'One part.',
      required: ['a'],
      properties: { a: { type: 'string' } },
    };
    expect(schema.properties.spec.properties.x).toEqual(expected);
  });

  test('built-in types are recognized by their module, not by their name', () => {
    const types = `type int32 = string; import { type int64 as big } from 'ots-kubernetes'; import * as k from 'ots-runtime';`;
    const source = apiSource({ types, spec: 'x: int32; y: big; z: k.Time;' }).replace(
      ', int32, int64 }',
      ', int64 }',
    );
    expect(kindSchema({ 'src/a.ts': source }).properties.spec.properties).toEqual({
      x: { type: 'string' },
      y: { type: 'integer', format: 'int64' },
      z: { type: 'string', format: 'date-time' },
    });
  });
});
