import { expect, test } from 'vitest';
import { waitingTime } from './waiting-time.ts';

const now = Date.parse('2026-01-01T00:10:00Z');

test.each([
  ['nothing', undefined, 1000],
  ['no time', 'yesterday', 1000],
  ['just now', '2026-01-01T00:10:00Z', 1000],
  ['the future, as of another clock', '2026-01-01T00:11:00Z', 1000],
  ['a while ago', '2026-01-01T00:09:30Z', 30_000],
  ['long ago', '2025-01-01T00:00:00Z', 300_000],
])('waiting since %s', (_, since, expected) => {
  expect(waitingTime(since, { now })).toBe(expected);
});

test('respects the limits', () => {
  const since = '2026-01-01T00:09:50Z';
  expect(waitingTime(since, { now, min: '20s' })).toBe(20_000);
  expect(waitingTime(since, { now, max: '2s' })).toBe(2000);
  expect(() => waitingTime(since, { max: 'soon' as '1s' })).toThrow('is not a duration');
});
