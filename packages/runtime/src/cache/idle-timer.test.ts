import { expect, test } from 'vitest';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { IdleTimer } from './idle-timer.ts';

function setUp(): { clock: VirtualClock; timer: IdleTimer; expired: () => number } {
  const clock = new VirtualClock();
  let count = 0;
  const timer = new IdleTimer(clock, () => (count += 1));
  return { clock, timer, expired: () => count };
}

test('each part of a line is a sign of life, long before the line is complete', async () => {
  const { clock, timer, expired } = setUp();
  timer.start(90_000);
  for (let piece = 0; piece < 3; piece += 1) {
    await clock.advance(60_000);
    timer.heard();
  }
  expect(expired()).toBe(0);
  await clock.advance(89_999);
  expect(expired()).toBe(0);
  await clock.advance(1);
  expect(expired()).toBe(1);
});

test('a shorter timeout counts from now on, even if the timer was set for longer', async () => {
  const { clock, timer, expired } = setUp();
  timer.start(600_000);
  await clock.advance(10_000);
  timer.start(90_000);
  await clock.advance(90_000);
  expect(expired()).toBe(1);
});

test('a stopped timer does not fire', async () => {
  const { clock, timer, expired } = setUp();
  timer.start(1000);
  timer.stop();
  await clock.advance(10_000);
  expect(expired()).toBe(0);
  expect(clock.delays).toEqual([]);
});
