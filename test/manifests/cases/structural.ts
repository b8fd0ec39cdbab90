/** Schemas of a property `x`, and what is wrong with each; the oracle test asks a real API server about the same. */
export interface StructuralCase {
  readonly name: string;
  readonly schema: object;
  /** What is said of it; undefined when it is accepted. */
  readonly refused?: RegExp;
  /** Whether the API server accepts it all the same. */
  readonly stricter?: true;
}

const string = { type: 'string' };
const map = (items: object, keys: string[] = ['a']) => ({
  type: 'array',
  items,
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});
const set = (items: object) => ({ type: 'array', items, 'x-kubernetes-list-type': 'set' });
const intOrString = { anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true };

export const structuralCases: readonly StructuralCase[] = [
  { name: 'a scalar', schema: string },
  { name: 'no type', schema: {}, refused: /must not be empty for specified object fields/ },
  {
    name: 'items without a type',
    schema: { type: 'array', items: {} },
    refused: /must not be empty for specified array items \(at x\[\*\]\)/,
  },
  {
    name: 'values without a type',
    schema: { type: 'object', additionalProperties: {} },
    refused: /must not be empty for specified object fields/,
  },
  { name: 'anything', schema: { 'x-kubernetes-preserve-unknown-fields': true } },
  { name: 'an integer or string', schema: intOrString },
  {
    name: 'an integer or string with a type',
    schema: { ...intOrString, type: 'string' },
    refused: /cannot have another type/,
    stricter: true,
  },
  {
    name: 'an integer or string that is anything',
    schema: { ...intOrString, 'x-kubernetes-preserve-unknown-fields': true },
    refused: /must be false if x-kubernetes-int-or-string is true/,
  },
  {
    name: 'named and unnamed properties',
    schema: { type: 'object', properties: { a: string }, additionalProperties: string },
    refused: /mutual exclusive/,
  },
  {
    name: 'an array without items',
    schema: { type: 'array' },
    refused: /^items: Required value: must be specified/,
  },
  {
    name: 'a list type on a string',
    schema: { ...string, 'x-kubernetes-list-type': 'atomic' },
    refused: /must be array if/,
  },
  {
    name: 'a map type on a string',
    schema: { ...string, 'x-kubernetes-map-type': 'atomic' },
    refused: /must be object if x-kubernetes-map-type/,
  },
  {
    name: 'an atomic object',
    schema: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: string } },
  },
  { name: 'a set', schema: set(string) },
  {
    name: 'a set of objects',
    schema: set({ type: 'object', properties: { a: string } }),
    refused: /must be atomic as item/,
  },
  {
    name: 'a set of atomic objects',
    schema: set({ type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: string } }),
  },
  { name: 'a set of lists', schema: set({ type: 'array', items: string }) },
  { name: 'a set of sets', schema: set(set(string)), refused: /must be atomic as item/ },
  {
    name: 'a set of atomic lists',
    schema: set({ type: 'array', items: string, 'x-kubernetes-list-type': 'atomic' }),
  },
  { name: 'a set with null', schema: set({ ...string, nullable: true }), refused: /cannot be nullable/ },
  { name: 'a map', schema: map({ type: 'object', properties: { a: string }, required: ['a'] }) },
  {
    name: 'a map without keys',
    schema: map({ type: 'object', properties: { a: string }, required: ['a'] }, []),
    refused: /must not be empty if x-kubernetes-list-type is map/,
  },
  { name: 'a map of strings', schema: map(string), refused: /must be object if parent array/ },
  {
    name: 'a map with another key',
    schema: map({ type: 'object', properties: { b: string } }),
    refused: /entries must all be names of item properties/,
  },
  {
    name: 'a map with a key twice',
    schema: map({ type: 'object', properties: { a: string }, required: ['a'] }, ['a', 'a']),
    refused: /must not contain duplicate entries/,
  },
  {
    name: 'a map with an optional key',
    schema: map({ type: 'object', properties: { a: string } }),
    refused: /must have a default or be a required property/,
  },
  {
    name: 'a map with an optional key that has a default',
    schema: map({ type: 'object', properties: { a: { ...string, default: 'x' } } }),
  },
  {
    name: 'a map with a key that can be null',
    schema: map({ type: 'object', properties: { a: { ...string, nullable: true } }, required: ['a'] }),
    refused: /cannot be nullable/,
  },
  {
    name: 'a map with an object for a key',
    schema: map({ type: 'object', properties: { a: { type: 'object' } }, required: ['a'] }),
    refused: /must be a scalar type/,
  },
  {
    name: 'keys without a map',
    schema: { type: 'array', items: string, 'x-kubernetes-list-map-keys': ['a'] },
    refused: /must be map if x-kubernetes-list-map-keys is non-empty/,
  },
  {
    name: 'an embedded resource',
    schema: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
  },
  {
    name: 'an embedded resource of which nothing is stored',
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true },
    refused: /^properties: Required value: must not be empty/,
  },
  {
    name: 'an embedded string',
    schema: {
      ...string,
      'x-kubernetes-embedded-resource': true,
      'x-kubernetes-preserve-unknown-fields': true,
    },
    refused: /must be object if x-kubernetes-embedded-resource is true/,
  },
  {
    name: 'an embedded map',
    schema: { type: 'object', 'x-kubernetes-embedded-resource': true, additionalProperties: string },
    refused: /must not be used if x-kubernetes-embedded-resource is set/,
  },
  {
    name: 'an embedded resource with a kind that is a number',
    schema: {
      type: 'object',
      'x-kubernetes-embedded-resource': true,
      properties: { kind: { type: 'integer' } },
    },
    refused: /must be string/,
  },
  { name: 'two patterns', schema: { ...string, allOf: [{ pattern: '^a' }, { pattern: 'b$' }] } },
  {
    name: 'a type within a constraint',
    schema: { ...string, allOf: [string] },
    refused: /type: Forbidden: must be empty to be structural/,
  },
  {
    name: 'a description within a constraint',
    schema: { ...string, allOf: [{ description: 'no' }] },
    refused: /description: Forbidden: must be empty to be structural/,
  },
  {
    name: 'a default of another type',
    schema: { ...string, default: 1 },
    refused: /^default: must be of type string: "integer" \(at x\)/,
  },
  {
    name: 'a default with an unknown property',
    schema: { type: 'object', properties: { a: string }, default: { b: 'x' } },
    refused: /^default: must not have unknown fields \(at x\)/,
  },
  {
    name: 'a default that fits',
    schema: { type: 'object', properties: { a: string }, required: ['a'], default: { a: 'x' } },
  },
];
