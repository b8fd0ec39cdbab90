import { expect, test } from 'vitest';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { Pace } from './pace.ts';

/** How many turns there are in this time. */
async function turnsIn(clock: VirtualClock, pace: Pace, milliseconds: number, status = 200): Promise<number> {
  const stop = new AbortController();
  let turns = 0;
  const running = (async () => {
    for (;;) {
      await pace.turn(stop.signal);
      turns += 1;
      pace.responded(status);
    }
  })();
  await settled();
  await clock.advance(milliseconds);
  stop.abort();
  await running.catch(() => {});
  return turns;
}

test('it begins at 100 requests per second and becomes faster by 10 per second, up to 500', async () => {
  const clock = new VirtualClock();
  const pace = new Pace(clock, () => false);
  expect(await turnsIn(clock, pace, 1000)).toBeGreaterThan(100);
  expect(pace.rate).toBeGreaterThan(105);
  expect(pace.rate).toBeLessThan(115);
  await turnsIn(clock, pace, 60_000);
  expect(pace.rate).toBe(500);
});

test.each([429, 500, 503])(
  'each response %i halves the rate, down to one request per second',
  async (status) => {
    const clock = new VirtualClock();
    const pace = new Pace(clock, () => false);
    pace.responded(status);
    expect(pace.rate).toBe(50);
    for (let count = 0; count < 20; count += 1) pace.responded(status);
    expect(pace.rate).toBe(1);
    expect(await turnsIn(clock, pace, 10_000, status)).toBeLessThanOrEqual(11);
  },
);

test('responses that refuse one object do not change it much', () => {
  const pace = new Pace(new VirtualClock(), () => false);
  for (const status of [404, 409, 422]) pace.responded(status);
  expect(pace.rate).toBeGreaterThan(100);
});

test('while more important work waits there is one request per second, and then it continues', async () => {
  const clock = new VirtualClock();
  let isBusy = true;
  const pace = new Pace(clock, () => isBusy);
  expect(await turnsIn(clock, pace, 10_500)).toBe(10);
  isBusy = false;
  expect(await turnsIn(clock, pace, 1000)).toBeGreaterThan(90);
});

test('an abort ends the wait for a turn', async () => {
  const clock = new VirtualClock();
  const pace = new Pace(clock, () => true);
  const stop = new AbortController();
  const turn = pace.turn(stop.signal);
  stop.abort(new Error('stop'));
  await expect(turn).rejects.toThrow('stop');
});
