import { describe, expect, test } from 'vitest';
import { follow } from './json-path.ts';
import { parseJsonPath } from './parse-json-path.ts';

const value = {
  a: { b: [1, 2, 3, 4], 'd.e': 'dotted' },
  items: [
    { name: 'x', n: 1, on: true },
    { name: 'y', n: 2 },
  ],
  none: null,
};
const find = (path: string) => follow(parseJsonPath(path), value);

describe('a path finds', () => {
  test.each([
    ['.a.b[0]', [1]],
    ['.a.b[-1]', [4]],
    ['.a.b[1:3]', [2, 3]],
    ['.a.b[::2]', [1, 3]],
    ['.a.b[-2:]', [3, 4]],
    ['.a.b[0,2]', [1, 3]],
    ['.a.b[*]', [1, 2, 3, 4]],
    ['.items[*].name', ['x', 'y']],
    ['..name', ['x', 'y']],
    [".a['d\\.e']", ['dotted']],
    ['.a.d\\.e', ['dotted']],
    ['.none', [null]],
    ['.none.deeper', []],
    ['.missing', []],
    ['.constructor', []],
    ['.__proto__', []],
    ['.items[?(@.name=="y")].n', [2]],
    [".items[?(@.name!='y')].n", [1]],
    ['.items[?(@.n>=1)].n', [1, 2]],
    ['.items[?(@.on)].n', [1]],
    ['.items[?(@.on==true)].n', [1]],
    ['$.items[1].name', ['y']],
  ])('%s', (path, found) => {
    expect(find(path)).toStrictEqual(found);
  });
});

test.each(['.a.b[9]', '.a[0]', '.a[?(@.b)]', '.items[?(@.n=="1")]', '.items[?(@.n=1)]', 'word'])(
  '%s leads nowhere',
  (path) => {
    expect(find(path)).toBeUndefined();
  },
);

test.each(['.a[', '.a[x]', '.a[?(@.b', '.a[?(@.b)', '....a', '.a{', '"open', '.a]'])(
  '%s is not a path',
  (path) => {
    expect(() => parseJsonPath(path)).toThrow(SyntaxError);
  },
);

test('a path that multiplies its values ends', () => {
  let deep: unknown = {};
  for (let level = 0; level < 2000; level += 1) deep = { a: deep };
  expect(follow(parseJsonPath('..a..a'), deep)).toBeUndefined();
});
