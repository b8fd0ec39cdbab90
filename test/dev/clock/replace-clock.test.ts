import { promisify } from 'node:util';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { replaceClock } from '../../../src/dev/clock/replace-clock.ts';

const hour = 60 * 60 * 1000;
let session: ReturnType<typeof replaceClock>;

beforeEach(() => {
  const before = { Date, setTimeout, setInterval, clearTimeout, clearInterval };
  const now = performance.now.bind(performance);
  onTestFinished(() => {
    Object.assign(globalThis, before);
    performance.now = now;
  });
  session = replaceClock();
});

test('the time of day and the monotonic time move, the clock before it does not', () => {
  const { clock, real } = session;
  const before = { date: Date.now(), now: performance.now(), real: real.epoch(), realNow: real.now() };
  clock.advance(hour);
  expect(Date.now() - before.date).toBeGreaterThanOrEqual(hour);
  expect(performance.now() - before.now).toBeGreaterThanOrEqual(hour);
  expect(real.epoch() - before.real).toBeLessThan(hour);
  expect(real.now() - before.realNow).toBeLessThan(hour);
});

test('Date is still Date', () => {
  session.clock.advance(hour);
  expect(Math.abs(new Date().getTime() - Date.now())).toBeLessThan(1000);
  expect(Math.abs(Date.parse(Date()) - Date.now())).toBeLessThan(2000);
  expect(new Date('2026-01-01T00:00:00Z').toISOString()).toBe('2026-01-01T00:00:00.000Z');
  expect(new Date(2026, 0, 1, 21).getHours()).toBe(21);
  expect(Date.UTC(2026, 0)).toBe(1_767_225_600_000);
  expect(new Date()).toBeInstanceOf(Date);
  class Birthday extends Date {}
  const birthday = new Birthday();
  expect(birthday).toBeInstanceOf(Birthday);
  expect(Math.abs(birthday.getTime() - Date.now())).toBeLessThan(1000);
});

describe('timers', () => {
  test('fire when the clock moves, with their arguments', async () => {
    const fired = new Promise((resolve) => setTimeout((...args) => resolve(args), hour, 'a', 'b'));
    session.clock.advance(hour);
    expect(await fired).toEqual(['a', 'b']);
  });

  test('wait in promises, too', async () => {
    const waiting = promisify(setTimeout)(hour, 'done');
    session.clock.advance(hour);
    expect(await waiting).toBe('done');
  });

  test('repeat until they are cleared', async () => {
    let times = 0;
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        times += 1;
        if (times === 3) {
          clearInterval(timer);
          resolve();
        }
        session.clock.advance(hour);
      }, hour);
      session.clock.advance(hour);
    });
    session.clock.advance(hour);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(times).toBe(3);
  });

  test('can be cleared and refreshed', async () => {
    let isFired = false;
    const timer = setTimeout(() => (isFired = true), hour);
    session.clock.advance(hour / 2);
    expect(timer.unref().ref().refresh().hasRef()).toBe(true);
    session.clock.advance(hour / 2);
    clearTimeout(timer);
    clearTimeout(undefined);
    session.clock.advance(hour);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(isFired).toBe(false);
  });

  test.each([
    ['what is not a time', Number.NaN],
    ['a negative time', -1],
    ['no time', undefined],
    ['more than a timer can wait', 2 ** 31],
  ])('take %s as 1 ms, as those of Node do', async (_, delay) => {
    const start = session.real.now();
    await new Promise((resolve) => setTimeout(resolve, delay));
    expect(session.real.now() - start).toBeLessThan(1000);
  });

  test('of the clock before it can be cleared', async () => {
    let isFired = false;
    clearTimeout(session.real.setTimeout(() => (isFired = true), 1) as NodeJS.Timeout);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(isFired).toBe(false);
  });
});
