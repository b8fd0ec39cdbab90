import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedValues } from '../../../src/dev/objects/changed-values.ts';

test('the fields that differ, with both values; a value is absent where the field was', () => {
  const before = { spec: { size: 1, list: [1, 2], gone: true, same: { a: [] } }, data: { 'a.b': 'x' } };
  const after = {
    spec: { size: 2, list: [1, 3, 4], same: { a: [] } },
    data: { 'a.b': 'y' },
    status: { ok: true },
  };
  expect(changedValues(before, after)).toEqual({
    fields: [
      { path: 'spec.size', before: 1, after: 2 },
      { path: 'spec.list[1]', before: 2, after: 3 },
      { path: 'spec.list[2]', after: 4 },
      { path: 'spec.gone', before: true },
      { path: 'data["a.b"]', before: 'x', after: 'y' },
      { path: 'status', after: { ok: true } },
    ],
    more: 0,
  });
});

test('what every write changes does not count as a change', () => {
  const object = (resourceVersion: string, generation: number) => ({
    metadata: { resourceVersion, generation, managedFields: [generation] },
  });
  expect(changedValues(object('1', 1), object('2', 2))).toEqual({ fields: [], more: 0 });
});

test.each([
  [{}, []],
  [null, {}],
  [1, '1'],
  [[], 'a'],
])('%j and %j differ as a whole', (before, after) => {
  expect(changedValues({ a: before }, { a: after }).fields).toEqual([{ path: 'a', before, after }]);
});

test('many fields are counted, and long values are cut', () => {
  const data = (text: string) => Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`k${n}`, text]));
  const { fields, more } = changedValues(data('a'), data('b'.repeat(1_000_000)));
  expect([fields.length, more]).toEqual([50, 10]);
  expect(fields[0]!.after).toHaveLength(2001);
  expect(fields[0]!.before).toBe('a');
});

test('an object does not differ from its copy, and the values are those of the paths', () => {
  const documents = fc
    .tuple(fc.jsonValue(), fc.jsonValue())
    .map(([a, b]) => [structuredClone(a), structuredClone(b)]);
  fc.assert(
    fc.property(documents, ([before, after]) => {
      expect(changedValues(before, structuredClone(before))).toEqual({ fields: [], more: 0 });
      for (const field of changedValues(before, after).fields) expect(field.before).not.toEqual(field.after);
    }),
  );
});
