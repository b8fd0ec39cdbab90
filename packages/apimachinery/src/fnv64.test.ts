import { expect, test } from 'vitest';
import { fnv64 } from './fnv64.ts';

// Test vectors of the authors of FNV.
test.each([
  ['', 'cbf29ce484222325'],
  ['a', 'af63dc4c8601ec8c'],
  ['foobar', '85944171f73967e8'],
])('the hash of %j is %s', (text, hex) => {
  const { high, low } = fnv64(text);
  expect(high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')).toBe(hex);
});
