import * as fc from 'fast-check';
import { objectSchema } from 'ots-kubernetes/object-schemas';
import { describe, expect, test } from 'vitest';
import { StrategicMergeError } from './strategic-merge-error.ts';
import { applyStrategicMergePatch } from './strategic-merge-patch.ts';

const schema = objectSchema('', 'v1', 'Pod')!;
const apply = (object: object, patch: object) =>
  applyStrategicMergePatch({ ...object }, { ...patch }, schema);
const spec = (fields: object) => ({ spec: fields });
const containers = (...list: object[]) => spec({ containers: list });

describe('lists', () => {
  test('are merged by their key', () => {
    const pod = containers({ name: 'a', image: '1' }, { name: 'b', image: '2' });
    expect(apply(pod, containers({ name: 'b', image: '3' }))).toStrictEqual(
      containers({ name: 'a', image: '1' }, { name: 'b', image: '3' }),
    );
  });

  test('without a strategy are replaced', () => {
    const pod = spec({ tolerations: [{ key: 'a' }] });
    expect(apply(pod, spec({ tolerations: [{ key: 'b' }] }))).toStrictEqual(
      spec({ tolerations: [{ key: 'b' }] }),
    );
  });

  test('put new items before the existing ones', () => {
    const pod = { metadata: { finalizers: ['a', 'b'] }, ...containers({ name: 'a' }) };
    const patch = { metadata: { finalizers: ['c', 'b'] }, ...containers({ name: 'b' }) };
    expect(apply(pod, patch)).toStrictEqual({
      metadata: { finalizers: ['c', 'a', 'b'] },
      ...containers({ name: 'b' }, { name: 'a' }),
    });
  });

  test('can be ordered, and unlisted items keep their neighbors', () => {
    const pod = containers({ name: 'a' }, { name: 'x' }, { name: 'b' });
    const order = ['b', 'a'].map((name) => ({ name }));
    expect(apply(pod, spec({ '$setElementOrder/containers': order }))).toStrictEqual(
      containers({ name: 'x' }, { name: 'b' }, { name: 'a' }),
    );
  });

  test('of a hundred thousand items are merged quickly', () => {
    const list = Array.from({ length: 100_000 }, (_, index) => ({ name: `e${index}`, value: 'x' }));
    const env = (items: object[]) => containers({ name: 'a', env: items });
    const order = list.map(({ name }) => ({ name }));
    const patch = containers({
      name: 'a',
      env: list.toReversed(),
      '$setElementOrder/env': order.toReversed(),
    });
    expect(JSON.stringify(apply(env(list), patch))).toBe(JSON.stringify(env(list.toReversed())));
  });
});

test('a patch neither changes nor pollutes anything', () => {
  const object = Object.freeze({ metadata: Object.freeze({ labels: Object.freeze({ a: '1' }) }) });
  const text =
    '{"metadata":{"labels":{"__proto__":"x","constructor":"y"},"__proto__":{"b":1}},"__proto__":{"c":1}}';
  const patch = JSON.parse(text) as Record<string, unknown>;
  const patched = apply(object, patch);
  expect(JSON.stringify(patched)).toBe(text.replace('"labels":{', '"labels":{"a":"1",'));
  expect(JSON.stringify(patch)).toBe(text);
  expect([Reflect.get({}, 'b'), Reflect.get({}, 'c')]).toStrictEqual([undefined, undefined]);
});

test('any patch applies or is refused as a patch', () => {
  const key = fc.constantFrom(
    'metadata',
    'spec',
    'finalizers',
    'labels',
    'containers',
    'env',
    'name',
    '$patch',
    '$retainKeys',
    '$setElementOrder/containers',
    '$setElementOrder/finalizers',
    '$deleteFromPrimitiveList/finalizers',
    '__proto__',
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      fc.constantFrom('a', 'delete', 'replace', 'merge', null, 1, 1.5, true),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.array(fc.tuple(key, tie('value')), { maxLength: 4 }).map((pairs) => Object.fromEntries(pairs)),
    ),
  }));
  const fields = fc.dictionary(key, value);
  fc.assert(
    fc.property(fields, fields, (object, patch) => {
      const text = JSON.stringify([object, patch]);
      try {
        apply(object, patch);
      } catch (error) {
        if (!(error instanceof StrategicMergeError)) throw error;
      }
      expect(JSON.stringify([object, patch])).toBe(text);
    }),
    { numRuns: 1000 },
  );
});

test.each([
  [containers({ image: 'x' }), 500, 'map: map[image:x] does not contain declared merge key: name'],
  [{ metadata: { $retainKeys: 'name' } }, 400, 'invalid patch format of retainKeys'],
  [{ metadata: { finalizers: [['a']] } }, 500, 'list element types are not identical: [[a] [[a]]]'],
  [{ metadata: { labels: { $patch: 'x' } } }, 500, 'unknown patch type: x in map: map[$patch:x]'],
])('%j is refused', (patch, code, message) => {
  const pod = { metadata: { finalizers: ['a'], labels: { a: 'b' } }, ...containers({ name: 'a' }) };
  expect(() => apply(pod, patch)).toThrow(expect.objectContaining({ code, message }));
});
