import { expect, test } from 'vitest';
import { VirtualClock } from './virtual-clock.ts';

test('timers fire in order, however many others were cleared before', () => {
  const clock = new VirtualClock(0);
  const fired: number[] = [];
  const dueOf = (index: number) => (index * 7919) % 1000;
  const timers = Array.from({ length: 6000 }, (_, index) =>
    clock.setTimeout(() => fired.push(index), dueOf(index)),
  );
  const isKept = (index: number) => index % 3 === 0;
  for (const [index, timer] of timers.entries()) if (!isKept(index)) clock.clearTimeout(timer);
  while (clock.fireNext(1000));
  // One that has fired may be cleared, too.
  for (const timer of timers) clock.clearTimeout(timer);
  const kept = [...timers.keys()].filter(isKept);
  expect(fired).toStrictEqual(kept.toSorted((a, b) => dueOf(a) - dueOf(b) || a - b));
  clock.setTimeout(() => fired.push(-1), 1);
  expect([clock.fireNext(2000), clock.fireNext(2000), clock.now()]).toStrictEqual([true, false, 2000]);
});
