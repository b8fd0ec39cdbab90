import { expect, test } from 'vitest';
import { FailedPodBackoff } from './failed-pod-backoff.ts';

test('each deletion on a node delays the next one twice as long', () => {
  const backoff = new FailedPodBackoff();
  expect(backoff.next('a', 0)).toBe(0);
  expect(backoff.next('a', 999)).toBe(1000);
  expect(backoff.next('b', 999)).toBe(0);
  expect(backoff.next('a', 1000)).toBe(0);
  expect(backoff.next('a', 2999)).toBe(2000);
  expect(backoff.next('a', 3000)).toBe(0);
});

test('the delay is at most 15 minutes, and begins again after twice that time', () => {
  const backoff = new FailedPodBackoff();
  const minute = 60_000;
  let now = 0;
  for (let failures = 0; failures < 12; failures++) backoff.next('a', (now += 15 * minute));
  expect(backoff.next('a', now + 1)).toBe(15 * minute);
  now += 30 * minute + 1;
  expect(backoff.next('a', now)).toBe(0);
  expect(backoff.next('a', now + 1)).toBe(1000);
});
