import { expect, test } from 'vitest';
import { pairsOf } from './spec-pairs.ts';

const number = { type: 'integer', minimum: 1, maximum: 2 };
const texts = (pairs: ReturnType<typeof pairsOf>): string[] =>
  pairs.map((pair) => pair.map(({ path, value }) => `${path.join('.')}=${JSON.stringify(value)}`).join(' '));

test('fields of the same object change together, with a good value each', () => {
  const schema = {
    type: 'object',
    properties: {
      size: number,
      name: { type: 'string' },
      debug: { type: 'boolean' },
      storage: { type: 'object', properties: { gigabytes: number, fast: { type: 'boolean' } } },
    },
  };
  const spec = { size: 1, name: 'db', debug: true, storage: { gigabytes: 2, fast: false } };
  expect(texts(pairsOf(schema, spec))).toEqual([
    'spec.size=2 spec.debug=false',
    'spec.storage.gigabytes=1 spec.storage.fast=true',
  ]);
});

test('fields that a rule connects come first, with all of their values', () => {
  const properties = { debug: { type: 'boolean' }, min: number, max: number };
  const rule = 'self.min <= self.max';
  const schema = { type: 'object', properties, 'x-kubernetes-validations': [{ rule }] };
  const pairs = texts(pairsOf(schema, { debug: false, min: 1, max: 1 }));
  expect(pairs).toEqual([
    'spec.min=null spec.max=null',
    'spec.min=null spec.max=2',
    'spec.min=2 spec.max=null',
    'spec.min=2 spec.max=2',
    'spec.debug=true spec.min=2',
    'spec.debug=true spec.max=2',
  ]);
});

test('an object with many fields has a limited number of pairs', () => {
  const names = Array.from({ length: 40 }, (_, index) => `flag${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));
  expect(pairsOf({ type: 'object', properties }, {})).toHaveLength(30);
});
