import type { Randomness } from '../../support/randomness.ts';

const words = ['', 'a', 'b', 'abc', 'a-b', 'äö', '2026-01-31', '10.0.0.1', '1h', 'YWI='];
const numbers = [-3, 0, 1, 2, 3, 7, 10, 1.5, 2.25];
const names = ['a', 'b', 'c', 'x-y', '__proto__', 'constructor'];
const formats = ['date', 'date-time', 'duration', 'byte', 'ipv4', 'cidr', 'uuid', 'hostname', 'unheard-of'];

/** A random schema of a few keywords. Most are structural, some are invalid. */
export function randomSchema(random: Randomness, depth: number): any {
  const schema = random.pick([
    () => textSchema(random),
    () => numberSchema(random),
    () => (depth > 0 ? listSchema(random, depth - 1) : textSchema(random)),
    () => (depth > 0 ? objectSchema(random, depth - 1) : numberSchema(random)),
    () => (depth > 0 ? objectSchema(random, depth - 1) : { type: 'boolean' }),
    () => (depth > 0 ? mapSchema(random, depth - 1) : textSchema(random)),
    () => openSchema(random),
  ])();
  if (random.chance(0.15)) schema.nullable = true;
  if (random.chance(0.15)) schema.default = randomValue(random, schema);
  if (random.chance(0.15)) Object.assign(schema, alternatives(random, schema));
  return schema;
}

function textSchema(random: Randomness): any {
  return {
    type: 'string',
    maxLength: random.pick([2, 5, 10]),
    ...(random.chance(0.2) && { minLength: 1 }),
    ...(random.chance(0.2) && { pattern: random.pick(['^a', 'b$', '^[a-z]*$']) }),
    ...(random.chance(0.2) && { enum: ['a', 'abc'] }),
    ...(random.chance(0.2) && { format: random.pick(formats), maxLength: 20 }),
    ...(random.chance(0.2) && rules(random, ['self != "b"', 'self.size() < 3', 'self == oldSelf'])),
  };
}

function numberSchema(random: Randomness): any {
  return {
    type: random.pick(['integer', 'number']),
    ...(random.chance(0.3) && { minimum: random.pick(numbers), exclusiveMinimum: random.chance(0.5) }),
    ...(random.chance(0.3) && { maximum: random.pick(numbers), exclusiveMaximum: random.chance(0.5) }),
    ...(random.chance(0.2) && { multipleOf: random.pick([2, 0.5, 3]) }),
    ...(random.chance(0.1) && { enum: [1, 7] }),
    ...(random.chance(0.2) && { format: random.pick(['int32', 'int64', 'double']) }),
    ...(random.chance(0.2) && rules(random, ['self > 1', 'self != 7', 'self >= oldSelf'])),
  };
}

function listSchema(random: Randomness, depth: number): any {
  const items = random.chance(0.3)
    ? {
        type: 'object',
        properties: { k: { type: 'string', maxLength: 5 }, v: randomSchema(random, depth) },
        required: ['k'],
      }
    : randomSchema(random, depth);
  return {
    type: 'array',
    items,
    maxItems: random.pick([2, 4]),
    ...(random.chance(0.2) && { minItems: 1 }),
    ...(items.required?.includes('k') &&
      random.chance(0.8) && { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] }),
    ...(random.chance(0.15) && { 'x-kubernetes-list-type': random.pick(['set', 'atomic']) }),
    ...(random.chance(0.2) && rules(random, ['self.size() < 2', 'self == oldSelf'])),
  };
}

function objectSchema(random: Randomness, depth: number): any {
  const fields = names.filter(() => random.chance(0.5));
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((name) => [name, randomSchema(random, depth)])),
    ...(random.chance(0.3) && { required: fields.filter(() => random.chance(0.4)) }),
    ...(random.chance(0.1) && { minProperties: 1 }),
    ...(random.chance(0.1) && { maxProperties: 2 }),
    ...(random.chance(0.15) && { 'x-kubernetes-preserve-unknown-fields': true }),
    ...(random.chance(0.1) && { 'x-kubernetes-embedded-resource': true }),
    ...(random.chance(0.1) && { 'x-kubernetes-map-type': random.pick(['atomic', 'granular']) }),
    ...(fields.includes('a') && random.chance(0.2) && rules(random, ['has(self.a)'])),
  };
}

function mapSchema(random: Randomness, depth: number): any {
  return {
    type: 'object',
    maxProperties: random.pick([1, 3]),
    additionalProperties: random.chance(0.15) ? true : randomSchema(random, depth),
  };
}

function openSchema(random: Randomness): any {
  if (random.chance(0.5)) return { 'x-kubernetes-preserve-unknown-fields': true };
  return {
    'x-kubernetes-int-or-string': true,
    ...(random.chance(0.3) && { anyOf: [{ type: 'integer' }, { type: 'string' }] }),
    ...(random.chance(0.3) && { pattern: '^a', maximum: 5 }),
  };
}

function rules(random: Randomness, texts: readonly string[]): object {
  const message = random.chance(0.3) && { message: 'is wrong' };
  return { 'x-kubernetes-validations': [{ rule: random.pick(texts), ...message }] };
}

/** Keywords that narrow a value, made for its type or for another one. */
function alternatives(random: Randomness, { type }: any): object {
  const parts: any[] = [
    { maxLength: 1 },
    { pattern: '^a' },
    { enum: ['a', 1] },
    { minimum: 2 },
    { minProperties: 1 },
    { maxItems: 1 },
    ...(type === 'object' ? [{ required: ['a'] }, { properties: { a: { maxLength: 1, maximum: 1 } } }] : []),
  ];
  const some = () => [random.pick(parts), random.pick(parts)];
  return random.pick([
    () => ({ anyOf: some() }),
    () => ({ oneOf: some() }),
    () => ({ allOf: some() }),
    () => ({ not: random.pick(parts) }),
  ])();
}

/** A value for a schema. It may break its limits, and sometimes its types. */
export function randomValue(random: Randomness, schema: any, wildness = 0.06): any {
  if (random.chance(wildness)) return random.pick([null, 5, 'x', true, [], {}, [null], { a: null }, 2.5]);
  const child = (inner: any) => randomValue(random, inner, wildness);
  if (schema['x-kubernetes-int-or-string']) return random.pick([1, 9, 'a', 'b']);
  if (schema.type === 'string') return random.pick([...words, ...(schema.enum ?? [])]);
  if (schema.type === 'integer') return random.pick(numbers.filter(Number.isInteger));
  if (schema.type === 'number') return random.pick(numbers);
  if (schema.type === 'boolean') return random.chance(0.5);
  if (schema.type === 'array')
    return [1, 2, 3].filter(() => random.chance(0.6)).map(() => child(schema.items));
  if (schema.type !== 'object') return random.pick([1, 'a', { a: 1, b: [2] }, [{ a: 1 }]]);
  const { additionalProperties, properties = {} } = schema;
  const fields = additionalProperties
    ? names.map((name) => [name, additionalProperties === true ? {} : additionalProperties])
    : Object.entries(properties);
  const isEmbedded = schema['x-kubernetes-embedded-resource'] === true;
  return {
    ...Object.fromEntries(
      fields.filter(() => random.chance(0.6)).map(([name, inner]) => [name, child(inner)]),
    ),
    ...(random.chance(wildness) && { unknown: { deep: 1 } }),
    ...(isEmbedded && { apiVersion: 'v1', kind: random.pick(['A', 'b_']) }),
    ...(isEmbedded &&
      random.chance(0.3) && { metadata: { name: random.pick(['n', 'a/b']), labels: { a: 'b' } } }),
  };
}
