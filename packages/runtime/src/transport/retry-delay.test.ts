import { expect, test } from 'vitest';
import { parseRetryAfter } from './retry-delay.ts';

const now = Date.UTC(2026, 0, 1, 12);

test.each([
  [undefined, undefined],
  ['', undefined],
  ['3', 3000],
  ['0', 0],
  ['-1', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['Thu, 01 Jan 2026 12:00:07 GMT', 7000],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
])('%j', (header, expected) => {
  expect(parseRetryAfter(header, now)).toBe(expected);
});
