import { expect, test } from 'vitest';
import { formatQuantity, parseQuantity, roundUpToMilli } from './quantity.ts';

const canonical = (text: string) => {
  const amount = parseQuantity(text);
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
  ['1025', '1025'],
  ['9223372036854775807Ki', '9223372036854775807'],
])('%s is written as %s', (text, shortest) => {
  expect(canonical(text)).toBe(shortest);
});

test.each(['', '.', '1x', 'Mi', '1e', '1 Gi', '--1', '1e9999'])('%j is no amount', (text) => {
  expect(parseQuantity(text)).toBeUndefined();
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
