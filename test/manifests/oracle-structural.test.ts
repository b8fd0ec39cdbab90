import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { structuralCases } from './cases/structural.ts';
import { crdsPath, RealServer, hasRealServer } from './real-server.ts';
import { schemaFromJson } from './schema-from-json.ts';
import { schemaProblems } from './schema-problems.ts';

const isReal = hasRealServer('structural schemas');

function crdWith(schema: object): object {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'foos.a.example.com' },
    spec: {
      group: 'a.example.com',
      names: { kind: 'Foo', listKind: 'FooList', plural: 'foos', singular: 'foo' },
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

const keyword = (name: string, values: fc.Arbitrary<unknown>) => values.map((value) => ({ [name]: value }));
const nameList = fc.constantFrom(['a'], ['b'], ['a', 'b'], ['a', 'a']);
const values = fc.constantFrom(null, true, 0, 1, 1.5, '', 'a', 'abc', [], ['a'], ['a', 'a'], {}, { a: 'a' }, [
  { a: 'a' },
]);
/** Schemas of some sense, each with up to three keywords thrown in. */
const schemas = fc.letrec<{ schema: object }>((tie) => {
  const named = (name: fc.Arbitrary<string>) =>
    fc.dictionary(name, tie('schema'), { minKeys: 1, maxKeys: 2, noNullPrototype: true });
  const base = fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    fc.constantFrom<object>(
      { type: 'string' },
      { type: 'integer' },
      { type: 'boolean' },
      { 'x-kubernetes-preserve-unknown-fields': true },
      { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true },
    ),
    tie('schema').map((items) => ({ type: 'array', items })),
    tie('schema').map((additionalProperties) => ({ type: 'object', additionalProperties })),
    named(fc.constantFrom('a', 'b', 'metadata', 'kind')).map((properties) => ({
      type: 'object',
      properties,
    })),
  );
  const extra = fc.oneof(
    keyword('type', fc.constantFrom('object', 'array', 'string', 'integer')),
    keyword('required', fc.constantFrom(['a'], ['a', 'b'])),
    keyword('nullable', fc.constant(true)),
    keyword('default', values),
    keyword('enum', fc.uniqueArray(fc.constantFrom('a', 'b', 1, 2, null), { minLength: 1, maxLength: 3 })),
    keyword('minimum', fc.constantFrom(-1, 1)),
    keyword('maxLength', fc.constantFrom(0, 2)),
    keyword('minItems', fc.constantFrom(0, 2)),
    keyword('maxProperties', fc.constantFrom(0, 2)),
    keyword('pattern', fc.constantFrom('^a', '[0-9]+')),
    keyword(
      'allOf',
      fc.constantFrom([{ pattern: 'c' }, { maxLength: 2 }], [{ type: 'string' }], [{ nullable: true }]),
    ),
    keyword('x-kubernetes-list-type', fc.constantFrom('set', 'map', 'atomic')),
    nameList.map((keys) => ({ 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys })),
    keyword('x-kubernetes-list-map-keys', nameList),
    keyword('x-kubernetes-map-type', fc.constantFrom('granular', 'atomic')),
    keyword('x-kubernetes-preserve-unknown-fields', fc.constant(true)),
    keyword('x-kubernetes-embedded-resource', fc.constant(true)),
    keyword('x-kubernetes-int-or-string', fc.constant(true)),
  );
  return {
    schema: fc
      .tuple(base, fc.array(extra, { maxLength: 3 }))
      .map(([schema, extras]) => Object.assign({}, schema, ...extras) as object),
  };
}).schema;

describe.skipIf(!isReal)('a real kube-apiserver', () => {
  let server: RealServer;
  beforeAll(async () => {
    server = await RealServer.start();
  }, 120_000);
  afterAll(() => server.stop());

  test.each(structuralCases)('gives the same verdict: $name', async ({ schema, refused, stricter }) => {
    const { code } = await server.dryRun(crdsPath, crdWith({ type: 'object', properties: { x: schema } }));
    expect(code).toBe(refused && !stricter ? 422 : 201);
  });

  test('accepts what is accepted here', async () => {
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(schemas, async (schema) => {
        const root = { type: 'object', properties: { x: schema } };
        if (schemaProblems(schemaFromJson(root)).length > 0) return;
        accepted++;
        const verdict = await server.verdict(crdsPath, crdWith(root));
        if (verdict !== 'accepted') throw new Error(`${JSON.stringify(schema)}: ${verdict}`);
      }),
      { numRuns: 6000, endOnFailure: true },
    );
    expect(accepted).toBeGreaterThan(400);
  }, 120_000);
});
