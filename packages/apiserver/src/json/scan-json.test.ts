import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { scanJson } from './scan-json.ts';

test.each([
  ['{"a":1,"a":2}', ['a']],
  ['{"a":{"b":1,"c":{"b":1},"b":2}}', ['a.b']],
  ['{"a":[{"b":1},{"b":1,"b":2,"b":3}]}', ['a[1].b', 'a[1].b']],
  ['{"a\\"":1,"a\\u0022":2}', ['a"']],
  ['{"a":"}\\\\","b":["a","a"],"c":"a"}', []],
  ['{"__proto__":1,"constructor":{},"__proto__":2}', ['__proto__']],
])('%s has the duplicates %j', (text, duplicates) => {
  expect(scanJson(text).duplicates).toStrictEqual(duplicates);
});

test('numbers beyond 64 bits of a float are found', () => {
  expect(scanJson('{"a":[1,-2.5e3,1e999]}').hugeNumber).toBe('1e999');
  expect(scanJson('{"a":1e308,"b":"1e999"}').hugeNumber).toBeUndefined();
});

test('what JSON.stringify writes has no duplicates and no huge numbers', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(scanJson(JSON.stringify(value))).toMatchObject({ duplicates: [] });
    }),
  );
});
