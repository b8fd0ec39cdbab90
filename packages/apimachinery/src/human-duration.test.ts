import { expect, test } from 'vitest';
import { humanDuration } from './human-duration.ts';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

test.each([
  [-2, '<invalid>'],
  [-1, '0s'],
  [0, '0s'],
  [119, '119s'],
  [2 * minute, '2m'],
  [9 * minute + 59, '9m59s'],
  [10 * minute + 30, '10m'],
  [3 * hour - 1, '179m'],
  [3 * hour, '3h'],
  [7 * hour + 59 * minute, '7h59m'],
  [8 * hour + 59 * minute, '8h'],
  [2 * day - 1, '47h'],
  [2 * day, '2d'],
  [7 * day + 23 * hour, '7d23h'],
  [8 * day + hour, '8d'],
  [2 * 365 * day - 1, '729d'],
  [2 * 365 * day, '2y'],
  [7 * 365 * day + 364 * day, '7y364d'],
  [8 * 365 * day + day, '8y'],
])('%d seconds are %s', (seconds, text) => {
  expect(humanDuration(seconds * 1000)).toBe(text);
});
