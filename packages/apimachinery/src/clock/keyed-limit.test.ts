import { expect, test } from 'vitest';
import { type Clock, systemClock } from './clock.ts';
import { KeyedLimit } from './keyed-limit.ts';

test('a key has its burst, then one more per interval, and after a quiet time the burst again', () => {
  let now = 0;
  const clock: Clock = { ...systemClock, now: () => now };
  const limit = new KeyedLimit(clock, { burst: 3, interval: 1000, capacity: 10 });
  const admitted = (key = 'a'): number =>
    Array.from({ length: 5 }, () => limit.admits(key)).filter(Boolean).length;
  expect([admitted(), admitted(), admitted('b')]).toEqual([3, 0, 3]);
  now += 999;
  expect(admitted()).toBe(0);
  now += 1;
  expect(admitted()).toBe(1);
  now += 60_000;
  expect(admitted()).toBe(3);
});

test('the most recently used keys are remembered', () => {
  const limit = new KeyedLimit(systemClock, { burst: 1, interval: 1000, capacity: 3 });
  const ask = (...keys: string[]): boolean[] => keys.map((key) => limit.admits(key));
  expect(ask('a', 'b', 'c', 'a', 'd')).toEqual([true, true, true, false, true]);
  expect(ask('a', 'b')).toEqual([false, true]);
});
