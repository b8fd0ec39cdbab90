import {
  array,
  assert,
  constantFrom,
  jsonValue,
  letrec,
  oneof,
  dictionary,
  property,
  string,
} from 'fast-check';
import { expect, test } from 'vitest';
import type { JsonPatchOperation } from '../objects/patches.ts';
import { jsonPatchDiff } from './json-patch-diff.ts';

/** Applies patches to the letter of RFC 6902, and throws where it says that a patch is in error. */
function apply(document: unknown, operations: readonly JsonPatchOperation[]): unknown {
  let root: any = JSON.parse(JSON.stringify(document));
  for (const operation of operations) {
    if (operation.op !== 'add' && operation.op !== 'remove' && operation.op !== 'replace')
      throw new Error(`unexpected ${operation.op}`);
    const value = 'value' in operation ? JSON.parse(JSON.stringify(operation.value)) : undefined;
    const keys = operation.path
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
    const last = keys.pop();
    if (last === undefined) {
      if (operation.op === 'remove') throw new Error('the root cannot be removed');
      root = value;
      continue;
    }
    const parent = keys.reduce((at, key) => step(at, key), root);
    if (Array.isArray(parent)) {
      if (!/^(?:0|[1-9]\d*)$/.test(last)) throw new Error(`${last} is not an index`);
      const index = Number(last);
      if (index > parent.length - (operation.op === 'add' ? 0 : 1))
        throw new Error(`${last} is out of bounds`);
      if (operation.op === 'add') parent.splice(index, 0, value);
      else if (operation.op === 'remove') parent.splice(index, 1);
      else parent[index] = value;
    } else {
      if (operation.op !== 'add' && !Object.hasOwn(parent, last)) throw new Error(`there is no ${last}`);
      if (operation.op === 'remove') delete parent[last];
      // As __proto__ is an ordinary name in JSON.
      else
        Object.defineProperty(parent, last, { value, enumerable: true, configurable: true, writable: true });
    }
  }
  return root;
}

function step(at: any, key: string): unknown {
  if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) throw new Error(`there is no ${key}`);
  return Object.entries(at).find(([name]) => name === key)?.[1];
}

/** Own properties and order of items, `__proto__` included; the order of names does not count. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1))
      : inner,
  );

const names = oneof(
  constantFrom('/', '~', '~0', '~1', '', '__proto__', 'constructor', '-', '0', 'ä/ö~'),
  string(),
);
const { value: values } = letrec((tie) => ({
  value: oneof({ maxDepth: 4 }, jsonValue(), tie('list'), tie('record')),
  list: array(tie('value'), { maxLength: 6 }),
  record: dictionary(names, tie('value'), { maxKeys: 5, noNullPrototype: true }),
}));

test('the patch turns one value into the other, whatever they are', () => {
  assert(
    property(values, values, (before, after) => {
      const [from, to] = [JSON.parse(JSON.stringify(before)), JSON.parse(JSON.stringify(after))];
      expect(canonical(apply(from, jsonPatchDiff(from, to)))).toBe(canonical(to));
    }),
  );
});

test('lists that differ in a few items become each other', () => {
  const items = array(constantFrom(0, 1, 2, '', { a: 1 }, { a: 2 }, [1]), { maxLength: 8 });
  assert(
    property(items, items, (from, to) => {
      expect(apply(from, jsonPatchDiff(from, to))).toEqual(to);
    }),
    { numRuns: 500 },
  );
});

test('it contains only differences', () => {
  const value = { a: 1, b: { c: [1, 2], d: 'x' }, 'e/f~g': true };
  expect(jsonPatchDiff(value, structuredClone(value))).toEqual([]);
  expect(jsonPatchDiff(value, { ...value, b: { c: [1, 3], d: 'x' }, 'e/f~g': false })).toEqual([
    { op: 'replace', path: '/b/c/1', value: 3 },
    { op: 'replace', path: '/e~1f~0g', value: false },
  ]);
});

test('one more or one less item in a long list is a small patch, at any position', () => {
  const long = Array.from({ length: 1000 }, (_, index) => ({ name: `item-${index}`, size: index }));
  const extra = { name: 'extra', size: 1 };
  expect(jsonPatchDiff({ long }, { long: [...long, extra] })).toEqual([
    { op: 'add', path: '/long/1000', value: extra },
  ]);
  expect(jsonPatchDiff({ long }, { long: [extra, ...long] })).toEqual([
    { op: 'add', path: '/long/0', value: extra },
  ]);
  expect(jsonPatchDiff({ long }, { long: long.toSpliced(500, 2) })).toEqual([
    { op: 'remove', path: '/long/501' },
    { op: 'remove', path: '/long/500' },
  ]);
  expect(jsonPatchDiff({ long }, { long: long.with(7, { name: 'item-7', size: 0 }) })).toEqual([
    { op: 'replace', path: '/long/7/size', value: 0 },
  ]);
});
