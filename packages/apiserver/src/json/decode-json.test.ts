import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeExactJson, decodeJson } from './decode-json.ts';
import { JsonNumber } from './json-number.ts';
import { parseExact } from './parse-exact.ts';
import { scanJson } from './scan-json.ts';

test.each([
  '{"a":1,"a":1}',
  '{"a":{"b":[1]},"a":{"b":[1]}}',
  '{"1":0,"1":0}',
  '{"__proto__":1,"__proto__":1}',
])('the duplicate in %s is found', (text) => {
  expect(decodeJson(text).duplicates).toHaveLength(1);
});

test.each([
  ['[1]', [1]],
  ['[1.5]', [1.5]],
  ['[9007199254740993]', [9007199254740993n]],
  ['[9007199254740992]', [9007199254740992n]],
  ['[-9223372036854775808]', [-9223372036854775808n]],
  ['["9007199254740993"]', ['9007199254740993']],
])('the value of %s is exact', (text, value) => {
  expect(decodeJson(text).value).toStrictEqual(value);
});

test.each(['1.0', '1e3', '-0', '1e+21', '100000000000000000000', '9007199254740993'])(
  'the literal %s stays as it is where types decide',
  (literal) => {
    expect(decodeExactJson(`[${literal}]`)).toStrictEqual([new JsonNumber(literal)]);
  },
);

/** Numbers as other languages write them, duplicate keys, and what JavaScript itself writes. */
const texts = fc.oneof(
  fc.json(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => `[${JSON.stringify(number)}]`),
  fc.bigInt().map((number) => `{"a":${number}}`),
  fc
    .tuple(fc.string(), fc.jsonValue(), fc.string(), fc.jsonValue())
    .map(
      ([a, x, b, y]) =>
        `{${JSON.stringify(a)}:${JSON.stringify(x)},${JSON.stringify(b)}:${JSON.stringify(y)}}`,
    ),
);

test('nothing unusual is missed in what JavaScript could have written', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const { duplicates, hugeNumber, hasUnusualNumbers } = scanJson(text);
      fc.pre(hugeNumber === undefined);
      expect(decodeJson(text).duplicates).toStrictEqual(duplicates);
      const isUnusual = duplicates.length > 0 || hasUnusualNumbers;
      expect(decodeExactJson(text)).toStrictEqual(isUnusual ? parseExact(text) : JSON.parse(text));
    }),
  );
});
