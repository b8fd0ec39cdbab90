import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject } from '../json/json-object.ts';
import { JsonPatchError, applyJsonPatch } from './json-patch.ts';
import { applyMergePatch } from './merge-patch.ts';

/** The examples of RFC 7396, appendix A. */
test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j merged with %j is %j', (target, patch, result) => {
  const before = structuredClone(target);
  expect(applyMergePatch(target, patch)).toStrictEqual(result);
  expect(target).toStrictEqual(before);
});

test('no patch changes the prototype of an object', () => {
  const merged = applyMergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}'));
  expect(isObject(merged) && Object.hasOwn(merged, '__proto__')).toBe(true);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
  for (const path of ['/__proto__/polluted', '/constructor/prototype/polluted']) {
    expect(() => applyJsonPatch({}, [{ op: 'add', path, value: true }])).toThrow(JsonPatchError);
  }
});

test('applying a merge patch twice is the same as once', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (target, patch) => {
        const once = applyMergePatch(target, patch);
        expect(applyMergePatch(once, patch)).toStrictEqual(once);
      },
    ),
  );
});

test('a JSON patch does not change its document, even when it fails', () => {
  const document = { a: { b: [1, 2] } };
  const operations = [
    { op: 'remove', path: '/a/b/0' },
    { op: 'remove', path: '/a/c' },
  ];
  expect(() => applyJsonPatch(document, operations)).toThrow(JsonPatchError);
  expect(document).toStrictEqual({ a: { b: [1, 2] } });
});

test('any JSON patch applies or throws a JsonPatchError', () => {
  const path = fc.oneof(fc.constantFrom('', '/', '/a', '/a/0', '/a/-', '/a/b', '/~0~1', 'x'), fc.jsonValue());
  const op = fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'other', 5);
  const operation = fc.oneof(
    fc.record({ op, path, from: path, value: fc.jsonValue() }, { requiredKeys: [] }),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.jsonValue(), fc.array(operation), (document, operations) => {
      expect(() => attempt(document, operations)).not.toThrow();
    }),
  );
});

function attempt(document: unknown, operations: unknown[]): void {
  try {
    applyJsonPatch(document, operations);
  } catch (error) {
    if (!(error instanceof JsonPatchError)) throw error;
  }
}
