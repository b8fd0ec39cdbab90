import { expect, test } from 'vitest';
import { toMilliseconds } from './to-milliseconds.ts';

test.each([
  [250, 250],
  [0, 0],
  ['0', 0],
  ['30s', 30_000],
  ['1h30m', 5_400_000],
  ['1.5s', 1500],
  ['250ms', 250],
  ['1m250ms', 60_250],
  ['10us', 0.01],
  ['10µs', 0.01],
  ['10\u03bcs', 0.01],
  ['+1.s', 1000],
  ['.5h', 1_800_000],
])('%j is %d ms', (duration, expected) => {
  expect(toMilliseconds(duration)).toBeCloseTo(expected);
});

test.each([
  '',
  '30',
  's',
  '30 s',
  '-1s',
  '1d',
  '1s2',
  '.s',
  '+',
  '++1s',
  // Users bring them: it must take no time.
  '1'.repeat(100_000),
  '1h 30m',
  -1,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  null,
  {},
])('%# is not a duration', (duration) => {
  expect(() => toMilliseconds(duration as string)).toThrow('is not a duration');
});
