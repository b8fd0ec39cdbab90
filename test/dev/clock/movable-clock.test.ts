import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../packages/runtime/test/virtual-clock.ts';
import { MovableClock } from '../../../src/dev/clock/movable-clock.ts';

function setUp() {
  const base = new VirtualClock();
  const clock = new MovableClock(base);
  const fired: string[] = [];
  const after = (milliseconds: number, name = String(milliseconds)): unknown =>
    clock.setTimeout(() => fired.push(name), milliseconds);
  return { base, clock, fired, after };
}

test('it runs like the other clock, and stays ahead of it', async () => {
  const { base, clock } = setUp();
  const [now, epoch] = [base.now(), base.epoch()];
  await base.advance(5);
  clock.advance(1000);
  await base.advance(7);
  expect([clock.now() - now, clock.epoch() - epoch, clock.ahead]).toEqual([1012, 1012, 1000]);
});

test('what becomes due by a move happens at once and in order, the rest at its time', async () => {
  const { base, clock, fired, after } = setUp();
  for (const milliseconds of [3000, 1000, 2000, 9000]) after(milliseconds);
  clock.advance(5000);
  expect(fired).toEqual([]);
  await base.advance(0);
  expect(fired).toEqual(['1000', '2000', '3000']);
  await base.advance(3999);
  expect(fired).toHaveLength(3);
  await base.advance(1);
  expect(fired.at(-1)).toBe('9000');
});

test('a timer that is cleared never fires, also when the clock has moved', async () => {
  const { base, clock, fired, after } = setUp();
  const timers = [after(1000), after(9000)];
  clock.advance(5000);
  for (const timer of timers) clock.clearTimeout(timer);
  clock.clearTimeout(undefined);
  await base.advance(10_000);
  expect(fired).toEqual([]);
  expect(base.delays).toEqual([]);
});

test('a delay that is too long for a timer of Node is waited for in parts', async () => {
  const { base, fired, after } = setUp();
  const days = 24 * 60 * 60 * 1000;
  after(60 * days);
  expect(base.delays[0]).toBeLessThan(25 * days);
  await base.advance(60 * days - 1);
  expect(fired).toEqual([]);
  await base.advance(1);
  expect(fired).toHaveLength(1);
});

test('a callback belongs to the work that set the timer, not to what moves the clock', async () => {
  const { base, clock } = setUp();
  const storage = new AsyncLocalStorage<string>();
  let found: string | undefined;
  storage.run('the reconcile', () => clock.setTimeout(() => (found = storage.getStore()), 1000));
  storage.run('the move', () => clock.advance(1000));
  await base.advance(0);
  expect(found).toBe('the reconcile');
});

test('however time passes, timers fire once, in order, and not before their time', async () => {
  const step = fc.record({ moved: fc.nat(2000), passed: fc.nat(2000) });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(5000), { maxLength: 8 }),
      fc.array(step, { maxLength: 4 }),
      async (delays, steps) => {
        const { base, clock } = setUp();
        const start = clock.now();
        const fired: number[] = [];
        for (const delay of delays) {
          clock.setTimeout(() => {
            expect(clock.now() - start).toBeGreaterThanOrEqual(delay);
            fired.push(delay);
          }, delay);
        }
        for (const { moved, passed } of [...steps, { moved: 0, passed: 0 }]) {
          clock.advance(moved);
          await base.advance(passed);
        }
        const due = delays.filter((delay) => delay <= clock.now() - start);
        expect(fired).toEqual(due.toSorted((a, b) => a - b));
      },
    ),
  );
});
