import { assert, jsonValue, property } from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonPatchOperation } from '../objects/patches.ts';
import { jsonPatchDiff } from './json-patch-diff.ts';

/** RFC 6902, as far as the diff uses it. */
function apply(document: unknown, operations: JsonPatchOperation[]): unknown {
  const root = { document: structuredClone(document) };
  for (const operation of operations) {
    const names = [
      'document',
      ...operation.path
        .split('/')
        .slice(1)
        .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~')),
    ];
    const last = names.pop()!;
    let target: any = root;
    for (const name of names) {
      expect(Object.hasOwn(target, name)).toBe(true);
      target = target[name];
    }
    expect(Object.hasOwn(target, last)).toBe(operation.op !== 'add');
    if (operation.op === 'remove') delete target[last];
    else if (operation.op === 'add' || operation.op === 'replace') {
      Object.defineProperty(target, last, {
        value: operation.value,
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
  }
  return root.document;
}

test('the patch makes the one value of the other, whatever they are', () => {
  assert(
    property(jsonValue(), jsonValue(), (before, after) => {
      const [from, to] = [JSON.parse(JSON.stringify(before)), JSON.parse(JSON.stringify(after))];
      expect(apply(from, jsonPatchDiff(from, to))).toEqual(to);
      expect(jsonPatchDiff(from, structuredClone(from))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('only what differs is in it', () => {
  expect(
    jsonPatchDiff({ a: [1, { b: 2 }], c: 1, d: [1] }, { a: [1, { b: 3 }], d: [1, 2], 'e/~': null }),
  ).toEqual([
    { op: 'remove', path: '/c' },
    { op: 'replace', path: '/a/1/b', value: 3 },
    { op: 'replace', path: '/d', value: [1, 2] },
    { op: 'add', path: '/e~1~0', value: null },
  ]);
});
