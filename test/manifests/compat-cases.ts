import type { Json } from '../../src/manifests/schema/schema.ts';

type JsonSchema = Record<string, Json>;

/** A change of the schema of `.spec`, and what it breaks: each finding as `code path`. */
export interface CompatCase {
  readonly name: string;
  readonly before: JsonSchema;
  readonly after: JsonSchema;
  readonly breaks: readonly string[];
  /** What the same change backwards breaks. */
  readonly backwards: readonly string[];
}

const object = (properties: Record<string, JsonSchema>, rest: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...rest,
});
const field = (
  name: string,
  before: JsonSchema,
  after: JsonSchema,
  breaks: readonly string[],
  backwards: readonly string[],
): CompatCase => ({
  name,
  before: object({ a: before }),
  after: object({ a: after }),
  breaks: breaks.map((code) => `${code} .spec.a`),
  backwards: backwards.map((code) => `${code} .spec.a`),
});

const string = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const any = { 'x-kubernetes-preserve-unknown-fields': true };
const intOrString = { 'x-kubernetes-int-or-string': true, anyOf: [integer, string] };
const list = (rest: JsonSchema = {}): JsonSchema => ({ type: 'array', items: string, ...rest });
const keyed = (...keys: string[]): JsonSchema => ({
  type: 'array',
  items: object({ k: string, l: string }, { required: ['k', 'l'] }),
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});
const rule = (text: string, rest: JsonSchema = {}): JsonSchema => ({
  ...string,
  'x-kubernetes-validations': [{ rule: text, ...rest }],
});

export const compatCases: readonly CompatCase[] = [
  {
    name: 'a field is removed',
    before: object({ a: string, b: string }),
    after: object({ a: string }),
    breaks: ['field-removed .spec.b'],
    backwards: [],
  },
  {
    name: 'a required field is removed',
    before: object({ a: string }, { required: ['a'] }),
    after: object({}),
    breaks: ['field-removed .spec.a'],
    backwards: ['required-field-added .spec.a'],
  },
  {
    name: 'a field is removed where unknown fields are kept',
    before: object({ a: string }),
    after: { type: 'object', ...any },
    breaks: [],
    backwards: ['preserve-unknown-fields-removed .spec'],
  },
  {
    name: 'a required field with a default is added',
    before: object({}),
    after: object({ a: { ...string, default: 'x' } }, { required: ['a'] }),
    breaks: [],
    backwards: ['field-removed .spec.a'],
  },
  {
    name: 'a field becomes required',
    before: object({ a: string }),
    after: object({ a: string }, { required: ['a'] }),
    breaks: ['field-required .spec.a'],
    backwards: [],
  },
  {
    name: 'a field becomes required and gets a default',
    before: object({ a: string }),
    after: object({ a: { ...string, default: '' } }, { required: ['a'] }),
    breaks: [],
    backwards: ['default-removed .spec.a'],
  },
  {
    name: 'a new object has required fields',
    before: object({}),
    after: object({ a: object({ b: string }, { required: ['b'] }) }),
    breaks: [],
    backwards: ['field-removed .spec.a'],
  },
  {
    name: 'something changes deep inside',
    before: object({
      a: list({ items: object({ 'b.c': { type: 'object', additionalProperties: string } }) }),
    }),
    after: object({
      a: list({
        items: object({ 'b.c': { type: 'object', additionalProperties: { ...string, maxLength: 3 } } }),
      }),
    }),
    breaks: ['max-length-tightened .spec.a[]["b.c"].*'],
    backwards: [],
  },
  {
    name: 'a property is called __proto__',
    before: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as JsonSchema,
    after: object({}),
    breaks: ['field-removed .spec.__proto__'],
    backwards: [],
  },
  field('a string becomes a boolean', string, { type: 'boolean' }, ['type-changed'], ['type-changed']),
  field('a string becomes an object', string, object({}), ['type-changed'], ['type-changed']),
  field('an integer becomes a number', integer, number, [], ['type-changed']),
  field('an integer becomes an integer or string', integer, intOrString, [], ['int-or-string-narrowed']),
  field('a string becomes an integer or string', string, intOrString, [], ['int-or-string-narrowed']),
  field(
    'a number becomes an integer or string',
    number,
    intOrString,
    ['type-changed'],
    ['int-or-string-narrowed'],
  ),
  field('a string becomes anything', string, any, [], ['type-changed']),
  field('an integer or string becomes anything', intOrString, any, [], ['type-changed']),
  field('anything stays anything', any, { ...any, description: 'x' }, [], []),
  field('a value cannot be null any more', { ...string, nullable: true }, string, ['nullable-removed'], []),
  field(
    'null leaves an enum',
    { ...string, nullable: true, enum: ['a', null] },
    { ...string, enum: ['a'] },
    ['nullable-removed'],
    [],
  ),
  field(
    'an enum loses a value',
    { ...string, enum: ['a', 'b'] },
    { ...string, enum: ['b'] },
    ['enum-narrowed'],
    [],
  ),
  field(
    'an enum swaps a value',
    { ...string, enum: ['a', 'b'] },
    { ...string, enum: ['c', 'b'] },
    ['enum-narrowed'],
    ['enum-narrowed'],
  ),
  field('an enum is added', string, { ...string, enum: ['a'] }, ['enum-narrowed'], []),
  field(
    'an enum is ordered otherwise',
    { ...string, enum: ['a', 'b'] },
    { ...string, enum: ['b', 'a'] },
    [],
    [],
  ),
  field('a default is added', string, { ...string, default: 'a' }, [], ['default-removed']),
  field(
    'a default changes',
    { ...string, default: 'a' },
    { ...string, default: 'b' },
    ['default-changed'],
    ['default-changed'],
  ),
  field(
    'a default is written otherwise',
    { ...object({ b: string, c: string }), default: { b: 'x', c: 'y' } },
    { ...object({ b: string, c: string }), default: { c: 'y', b: 'x' } },
    [],
    [],
  ),
  field(
    'a default is falsy',
    { type: 'boolean', default: false },
    { type: 'boolean' },
    ['default-removed'],
    [],
  ),
  field(
    'a minimum is raised',
    { ...integer, minimum: 1 },
    { ...integer, minimum: 2 },
    ['minimum-tightened'],
    [],
  ),
  field('a minimum of 0 is added', integer, { ...integer, minimum: 0 }, ['minimum-tightened'], []),
  field(
    'a minimum becomes exclusive',
    { ...number, minimum: 1 },
    { ...number, minimum: 1, exclusiveMinimum: true },
    ['minimum-tightened'],
    [],
  ),
  field(
    'more than 0 is from 1 on',
    { ...integer, minimum: 0, exclusiveMinimum: true },
    { ...integer, minimum: 1 },
    [],
    [],
  ),
  field(
    'less than 10 is up to 9',
    { ...integer, maximum: 10, exclusiveMaximum: true },
    { ...integer, maximum: 9 },
    [],
    [],
  ),
  field(
    'a maximum is lowered',
    { ...integer, maximum: 9 },
    { ...integer, maximum: 8 },
    ['maximum-tightened'],
    [],
  ),
  field(
    'a bound moves to allOf',
    { ...integer, maximum: 9 },
    { ...integer, allOf: [{ maximum: 9 }] },
    [],
    [],
  ),
  field(
    'a stricter bound hides in allOf',
    { ...string, maxLength: 9 },
    { ...string, maxLength: 9, allOf: [{ maxLength: 8 }] },
    ['max-length-tightened'],
    [],
  ),
  field(
    'a pattern hides in allOf',
    string,
    { ...string, allOf: [{ pattern: 'a' }, { minLength: 0 }] },
    ['constraint-added'],
    [],
  ),
  field(
    'minLength is raised',
    { ...string, minLength: 1 },
    { ...string, minLength: 2 },
    ['min-length-tightened'],
    [],
  ),
  field('minLength 0 is added', string, { ...string, minLength: 0 }, [], []),
  field('maxLength is added', string, { ...string, maxLength: 5 }, ['max-length-tightened'], []),
  field('minItems is added', list(), list({ minItems: 1 }), ['min-items-tightened'], []),
  field('maxItems is lowered', list({ maxItems: 5 }), list({ maxItems: 4 }), ['max-items-tightened'], []),
  field(
    'minProperties is added',
    object({}),
    object({}, { minProperties: 1 }),
    ['min-properties-tightened'],
    [],
  ),
  field(
    'maxProperties is added',
    object({}),
    object({}, { maxProperties: 1 }),
    ['max-properties-tightened'],
    [],
  ),
  field('a pattern is added', string, { ...string, pattern: '^a' }, ['pattern-added'], []),
  field(
    'a pattern changes',
    { ...string, pattern: '^a' },
    { ...string, pattern: '^b' },
    ['pattern-changed'],
    ['pattern-changed'],
  ),
  field('a format is added', string, { ...string, format: 'date-time' }, ['format-changed'], []),
  field(
    'a format changes',
    { ...string, format: 'date' },
    { ...string, format: 'date-time' },
    ['format-changed'],
    ['format-changed'],
  ),
  field(
    'int32 becomes int64',
    { ...integer, format: 'int32' },
    { ...integer, format: 'int64' },
    [],
    ['format-changed'],
  ),
  field('an integer is said to have 64 bits', integer, { ...integer, format: 'int64' }, [], []),
  field('an integer gets 32 bits', integer, { ...integer, format: 'int32' }, ['format-changed'], []),
  field(
    'a float becomes a double',
    { ...number, format: 'float' },
    { ...number, format: 'double' },
    [],
    ['format-changed'],
  ),
  field(
    'uuid4 becomes uuid',
    { ...string, format: 'uuid4' },
    { ...string, format: 'uuid' },
    [],
    ['format-changed'],
  ),
  field('multipleOf is added', integer, { ...integer, multipleOf: 2 }, ['multiple-of-changed'], []),
  field(
    'multipleOf becomes a factor of itself',
    { ...integer, multipleOf: 10 },
    { ...integer, multipleOf: 5 },
    [],
    ['multiple-of-changed'],
  ),
  field(
    'a list becomes a set',
    list(),
    list({ 'x-kubernetes-list-type': 'set' }),
    ['list-type-changed'],
    ['list-type-changed'],
  ),
  field('a list is said to be atomic', list(), list({ 'x-kubernetes-list-type': 'atomic' }), [], []),
  field(
    'a list gets another key',
    keyed('k'),
    keyed('k', 'l'),
    ['list-map-keys-changed'],
    ['list-map-keys-changed'],
  ),
  field('the keys of a list are ordered otherwise', keyed('k', 'l'), keyed('l', 'k'), [], []),
  field(
    'an object becomes atomic',
    object({}),
    object({}, { 'x-kubernetes-map-type': 'atomic' }),
    ['map-type-changed'],
    ['map-type-changed'],
  ),
  field(
    'an object is said to be granular',
    object({}),
    object({}, { 'x-kubernetes-map-type': 'granular' }),
    [],
    [],
  ),
  field(
    'an object becomes a map',
    object({ b: string }),
    { type: 'object', additionalProperties: string },
    ['object-shape-changed'],
    ['object-shape-changed'],
  ),
  field(
    'an empty object becomes a map',
    { type: 'object' },
    { type: 'object', additionalProperties: string },
    [],
    ['object-shape-changed'],
  ),
  field(
    'a map keeps whatever it gets',
    { type: 'object', additionalProperties: string },
    { type: 'object', ...any },
    [],
    ['preserve-unknown-fields-removed'],
  ),
  field(
    'an object must be a whole one',
    { type: 'object', ...any },
    { type: 'object', ...any, 'x-kubernetes-embedded-resource': true },
    ['embedded-resource-added'],
    [],
  ),
  field('a rule is added', string, rule('self != ""'), ['rule-added'], []),
  field(
    'a rule is written otherwise',
    rule('self != ""', { message: 'a' }),
    rule(' self\n!= ""', { message: 'b' }),
    [],
    [],
  ),
  field('a rule changes', rule('self != ""'), rule('self != "a"'), ['rule-added'], ['rule-added']),
  field(
    'words change',
    { ...string, description: 'a', title: 'a', example: 'a' },
    { ...string, description: 'b' },
    [],
    [],
  ),
];
