import { expect, test } from 'vitest';
import { amountOf, formatQuantity, roundUpToMilli } from './amount.ts';
import { canonicalQuantity } from './canonical-quantity.ts';
import { parseQuantity } from './parse-quantity.ts';

const canonical = (text: string) => {
  const amount = amountOf(text);
  return amount && formatQuantity(amount);
};

// What Go's resource.Quantity makes of them.
test.each([
  ['0.5', '500m'],
  ['1000m', '1'],
  ['1024Mi', '1Gi'],
  ['1.5Gi', '1536Mi'],
  ['0.1Mi', '104857600m'],
  ['100k', '100k'],
  ['1e3', '1e3'],
  ['0.0001', '100u'],
  ['0.0000000001', '1n'],
  ['-1.5', '-1500m'],
  ['0Mi', '0'],
  // Digits may be missing.
  ['.', '0'],
  ['Mi', '0'],
  ['1025', '1025'],
  ['9223372036854775807Ki', '9223372036854775807'],
])('%s is written as %s', (text, shortest) => {
  expect(canonical(text)).toBe(shortest);
});

test.each(['', '1x', '1e', '1 Gi', '--1', '1e9999'])('%j is not an amount', (text) => {
  expect(amountOf(text)).toBeUndefined();
});

test('amounts of resources are rounded away from zero', () => {
  expect(['0.0001', '1.0001', '-0.0001', '100m', '2'].map(roundUpToMilli)).toStrictEqual([
    '1m',
    '1001m',
    '-1m',
    '100m',
    '2',
  ]);
});

// What Go's resource.Quantity makes of them.
test.each([
  ['12Mi', '12Mi'],
  ['16Mi', '16Mi'],
  ['1024Mi', '1Gi'],
  ['1000', '1k'],
  ['.5', '500m'],
  ['+1', '+1'],
  ['0.1', '100m'],
  ['1e3', '1e3'],
  ['1000000000000000000000', '1'],
])('the canonical form of %s is %s', (text, expected) => {
  expect(canonicalQuantity(text)).toStrictEqual({ text: expected });
});

test.each([
  ['', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
  ['abc', "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"],
  ['--1', "unable to parse quantity's suffix"],
  ['1e99999999999999999999', "unable to parse quantity's suffix"],
  ['Ei', 'unable to parse numeric part of quantity'],
])('%j is refused', (text, problem) => {
  expect(parseQuantity(text)).toBe(problem);
  expect(canonicalQuantity(text)).toStrictEqual({ problem });
});

test.each([
  '9'.repeat(100_000),
  `1.${'0'.repeat(100_000)}1`,
  '1e-2147483648',
  `1${'0'.repeat(20)}e2147483000`,
])('a hostile quantity takes no long time', (text) => {
  const start = performance.now();
  parseQuantity(text);
  canonicalQuantity(text);
  amountOf(text);
  expect(performance.now() - start).toBeLessThan(2000);
});
