import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { bucketRateLimiter } from './bucket-rate-limiter.ts';
import { FailureCounts } from './failure-counts.ts';
import { itemExponentialRateLimiter } from './item-exponential-rate-limiter.ts';
import { itemFastSlowRateLimiter } from './item-fast-slow-rate-limiter.ts';
import { type RateLimiter, maxOfRateLimiter } from './rate-limiter.ts';

const several = (limiter: RateLimiter, key: string, times: number): number[] =>
  Array.from({ length: times }, () => limiter.when(key));

describe('itemExponentialRateLimiter', () => {
  test('doubles for each item separately, and starts over when it is forgotten', () => {
    const limiter = itemExponentialRateLimiter({ base: 1, max: '1s' });
    expect(several(limiter, 'one', 5)).toEqual([1, 2, 4, 8, 16]);
    expect(limiter.failures('one')).toBe(5);
    expect(several(limiter, 'two', 2)).toEqual([1, 2]);
    limiter.forget('one');
    expect(limiter.failures('one')).toBe(0);
    expect(limiter.when('one')).toBe(1);
  });

  test('stays at the longest delay, after any number of failures', () => {
    const limiter = itemExponentialRateLimiter({ base: 0, max: 1000 });
    expect(several(limiter, 'zero', 2000).at(-1)).toBe(0);
    expect(several(itemExponentialRateLimiter({ max: '1000s' }), 'one', 2000).at(-1)).toBe(1_000_000);
  });

  test('a malformed duration is refused', () => {
    expect(() => itemExponentialRateLimiter({ base: -1 })).toThrow('not a duration');
  });
});

test('itemFastSlowRateLimiter retries quickly a number of times, and slowly after that', () => {
  const limiter = itemFastSlowRateLimiter({ fast: 5, slow: '10s', attempts: 3 });
  expect(several(limiter, 'one', 5)).toEqual([5, 5, 5, 10_000, 10_000]);
  expect(several(limiter, 'two', 1)).toEqual([5]);
  limiter.forget('one');
  expect(limiter.when('one')).toBe(5);
});

describe('bucketRateLimiter', () => {
  test('lets a burst pass, then one item after another, and refills over time', async () => {
    const clock = new VirtualClock();
    const limiter = bucketRateLimiter({ perSecond: 10, burst: 3, clock });
    expect(several(limiter, 'any', 5)).toEqual([0, 0, 0, 100, 200]);
    await clock.advance(200);
    expect(several(limiter, 'any', 1)).toEqual([100]);
    await clock.advance(3_600_000);
    expect(several(limiter, 'any', 4)).toEqual([0, 0, 0, 100]);
  });

  test('a bucket that never fills is refused', () => {
    expect(() => bucketRateLimiter({ perSecond: 0, burst: 1 })).toThrow('lets nothing pass');
  });
});

test('maxOfRateLimiter takes the longest delay, and forgets everywhere', () => {
  const clock = new VirtualClock();
  const item = itemExponentialRateLimiter({ base: 5, clock });
  const limiter = maxOfRateLimiter(item, bucketRateLimiter({ perSecond: 100, burst: 2, clock }));
  expect(several(limiter, 'one', 4)).toEqual([5, 10, 20, 40]);
  expect(limiter.failures('one')).toBe(4);
  expect(limiter.when('two')).toBe(30);
  limiter.forget('one');
  expect(item.failures('one')).toBe(0);
});

test('keys that failed once and are never seen again are forgotten', async () => {
  const clock = new VirtualClock();
  const counts = new FailureCounts(clock, 1000);
  for (let key = 0; key < 500; key += 1) counts.add(`gone-${key}`);
  await clock.advance(600);
  counts.add('failing');
  await clock.advance(600);
  expect(counts.add('failing')).toBe(1);
  expect(counts.size).toBe(1);
});
