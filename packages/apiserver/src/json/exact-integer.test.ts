import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exactInteger, isInt32, readInteger } from './exact-integer.ts';
import { parseJson } from './parse-json.ts';
import { stringifyJson } from './stringify-json.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

test.each([
  ['9007199254740991', 9007199254740991],
  ['9007199254740992', 9007199254740992n],
  ['-9223372036854775808', -(2n ** 63n)],
  ['9223372036854775808', undefined],
  ['1.0', undefined],
  ['1e3', undefined],
  ['1'.repeat(1_000_000), undefined],
])('%.20s is read', (literal, value) => {
  expect(readInteger(literal)).toBe(value);
});

test.each([
  [2 ** 31 - 1, true],
  [2 ** 31, false],
  [-(2 ** 31), true],
  [-(2 ** 31) - 1, false],
  [1.5, false],
])('whether 32 bits hold %d: %s', (value, fits) => {
  expect(isInt32(value)).toBe(fits);
});

test('64-bit integers pass through JSON unchanged', () => {
  fc.assert(
    fc.property(int64, (integer) => {
      const value = {
        id: exactInteger(integer),
        list: [{ 'a"b': exactInteger(integer) }, '9007199254740993'],
      };
      expect(stringifyJson(value)).toContain(`"id":${integer},`);
      expect(parseJson(stringifyJson(value))).toStrictEqual(value);
      expect(parseJson(stringifyJson(value, 2))).toStrictEqual(value);
    }),
  );
});

test('values with large integers are written like all others', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const large = { a: value, b: [value], c: undefined, d: 2n ** 62n };
      const small = { ...large, d: 7 };
      expect(stringifyJson(large, indent)).toBe(
        JSON.stringify(small, undefined, indent).replace(/7(?=\s*\}$)/, `${2n ** 62n}`),
      );
    }),
  );
});
