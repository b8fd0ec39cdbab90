import { expect, test } from 'vitest';
import { isTooDeep, jsonDepth } from './depth.ts';

test.each([
  ['1', 0],
  ['[]', 1],
  ['{"a":[[1],{"b":{}}]}', 4],
  ['["[[", "\\"[[", {}]', 2],
  ['[[', 2],
  ['["[[', 1],
  [']]]', 0],
])('%s is %i deep', (text, depth) => {
  expect(jsonDepth(text)).toBe(depth);
});

test('a body may be 10,000 deep', () => {
  expect(isTooDeep('['.repeat(10_000))).toBe(false);
  expect(isTooDeep('['.repeat(10_001))).toBe(true);
});
