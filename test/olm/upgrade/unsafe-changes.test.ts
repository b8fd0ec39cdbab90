import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SchemaNode } from '../../../src/olm/upgrade/schema-node.ts';
import { unsafeChanges } from '../../../src/olm/upgrade/unsafe-changes.ts';
import { propertyRuns } from '../../support/property-runs.ts';

const version = (name: string, properties: object, more: object = {}) => ({
  name,
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object', properties } },
  ...more,
});

const definition = (versions: readonly object[], more: object = {}): SchemaNode => ({
  kind: 'CustomResourceDefinition',
  spec: { scope: 'Namespaced', versions, ...more },
});

/** The changes of the only field of the only version. */
const changesOf = (older: object, newer: object) =>
  unsafeChanges(definition([version('v1', { size: older })]), definition([version('v1', { size: newer })]));

const integer = { type: 'integer' };

test.each<[string, object, object, string, string]>([
  ['a default', integer, { ...integer, default: 3 }, 'default', '3 is new'],
  ['another default', { default: 3 }, { default: 4 }, 'default', '3 became 4'],
  ['no default', { default: 3 }, {}, 'default', '3 was removed'],
  ['a new limit', integer, { ...integer, maximum: 9 }, 'maximum', '9 is new'],
  ['a lower limit', { maximum: 9 }, { maximum: 8 }, 'maximum', 'lowered from 9 to 8'],
  ['a higher minimum', { minLength: 0 }, { minLength: 1 }, 'minLength', 'raised from 0 to 1'],
  ['an enum', {}, { enum: ['b', 'a'] }, 'enum', '"a", "b" are new'],
  ['fewer values', { enum: ['a', 'b'] }, { enum: ['b', 'c'] }, 'enum', 'removed "a"'],
  ['null', {}, { nullable: true }, 'nullable', 'true is new'],
  ['a pattern', { pattern: 'a' }, { pattern: 'b' }, 'pattern', '"a" became "b"'],
  ['a required field', { required: ['a'] }, { required: ['b', 'a'] }, 'required', 'new: "b"'],
  ['another type', integer, { type: 'string' }, 'type', '"integer" became "string"'],
  [
    'a rule in CEL',
    {},
    { 'x-kubernetes-validations': [{ rule: 'self > 1' }] },
    'unhandled',
    'x-kubernetes-validations changed',
  ],
  ['a closed mapping', {}, { additionalProperties: false }, 'unhandled', 'additionalProperties changed'],
])('%s is unsafe', (_, older, newer, rule, message) => {
  expect(changesOf(older, newer)).toEqual([{ version: 'v1', path: '^.size', rule, message }]);
});

test.each<[string, object, object]>([
  ['a higher limit', { maximum: 8 }, { maximum: 9 }],
  ['no limit', { maximum: 8 }, {}],
  ['more values', { enum: ['a'] }, { enum: ['a', 'b'] }],
  ['less that is required', { required: ['a', 'b'] }, { required: ['b'] }],
  ['a description', {}, { description: 'How many.' }],
  ['what Go reads as nothing', { format: '' }, { nullable: false, allOf: [], uniqueItems: false }],
  ['a keyword that Kubernetes does not know', {}, { 'x-mine': 1 }],
])('%s is safe', (_, older, newer) => {
  expect(changesOf(older, newer)).toEqual([]);
});

test('a field that is gone is removed and has no type; a new one is safe', () => {
  const [older, newer] = [
    { a: { type: 'object', properties: { b: integer } } },
    { a: { type: 'object', properties: { c: integer } } },
  ];
  expect(unsafeChanges(definition([version('v1', older)]), definition([version('v1', newer)]))).toEqual([
    { version: 'v1', path: '^.a.b', rule: 'existingFieldRemoval', message: 'the field was removed' },
    { version: 'v1', path: '^.a.b', rule: 'type', message: '"integer" was removed' },
  ]);
});

test('the scope stays, and each version that may be stored', () => {
  const [v1, v2] = [version('v1', {}), version('v2', {})];
  expect(unsafeChanges(definition([v1]), definition([v2], { scope: 'Cluster' }))).toEqual([
    { rule: 'scope', message: 'Namespaced became Cluster' },
    { rule: 'storedVersionRemoval', message: 'objects may be stored as v1' },
  ]);
  // The cluster knows better than the definition.
  const stored = { ...definition([v1]), status: { storedVersions: ['v2'] } };
  expect(unsafeChanges(stored, definition([v2]))).toEqual([]);
});

test('served versions without a conversion webhook have the same schema, unless they differed before', () => {
  const [v1, v1beta1] = [
    version('v1', { size: { type: 'string' } }),
    version('v1beta1', { size: integer }, { storage: false }),
  ];
  const [older, newer] = [definition([v1]), definition([v1beta1, v1])];
  expect(unsafeChanges(older, newer)).toEqual([
    { version: 'v1beta1 -> v1', path: '^.size', rule: 'type', message: '"integer" became "string"' },
  ]);
  expect(unsafeChanges(newer, newer)).toEqual([]);
  expect(unsafeChanges(older, definition([v1beta1, v1], { conversion: { strategy: 'Webhook' } }))).toEqual(
    [],
  );
  expect(unsafeChanges(older, definition([{ ...v1beta1, served: false }, v1]))).toEqual([]);
});

const json = fc.jsonValue({ maxDepth: 6 });
const schema = fc.letrec((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    json,
    fc.record(
      { type: json, properties: fc.dictionary(fc.string(), tie('node')), items: tie('node'), anyOf: json },
      { requiredKeys: [] },
    ),
  ),
})).node;

test('whatever a definition contains, an upgrade to itself is safe, and another one has an answer', () => {
  fc.assert(
    fc.property(schema, schema, fc.oneof(json, fc.constant({})), (one, other, more) => {
      const of = (content: unknown) =>
        definition([version('v1', {}, { schema: { openAPIV3Schema: content } })], Object(more) as object);
      expect(unsafeChanges(of(one), of(one))).toEqual([]);
      expect(Array.isArray(unsafeChanges(of(one), of(other)))).toBe(true);
    }),
    { numRuns: propertyRuns(100) },
  );
});
