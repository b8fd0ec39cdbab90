import { systemClock } from 'ots-apimachinery/clock/clock';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { StatusError } from '../status/status-error.ts';
import { WorkQueue } from './work-queue.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const refusal = new StatusError(403, 'Forbidden', 'no');

/** In milliseconds, without the one that the fake clock counts for an immediate. */
function delaysBetween(times: readonly number[]): number[] {
  return times.slice(1).map((time, index) => Math.round(time - (times[index] ?? 0)) - 1);
}

/** A queue whose items wait until the test lets them go on. */
function waitingQueue() {
  const started: string[] = [];
  const running = new Map<string, { resolve: () => void; reject: (error: Error) => void }>();
  const queue = new WorkQueue<string>(systemClock, (item) => {
    started.push(item);
    return new Promise((resolve, reject) => {
      running.set(item, { resolve, reject });
    });
  });
  const end = async (item: string, error?: Error) => {
    if (error) running.get(item)?.reject(error);
    else running.get(item)?.resolve();
    await vi.advanceTimersByTimeAsync(0);
  };
  return { queue, started, end };
}

test('an item that waits does not delay others, and does not run twice at the same time', async () => {
  const { queue, started, end } = waitingQueue();
  queue.add('a', 'a');
  await vi.advanceTimersByTimeAsync(0);
  queue.add('a', 'a');
  queue.add('b', 'b');
  await vi.advanceTimersByTimeAsync(0);
  expect(started).toStrictEqual(['a', 'b']);
  await end('a');
  expect(started).toStrictEqual(['a', 'b', 'a']);
});

test('only a limited number of items wait at the same time', async () => {
  const { queue, started, end } = waitingQueue();
  for (let index = 0; index < 50; index += 1) queue.add(`${index}`, `${index}`);
  await vi.advanceTimersByTimeAsync(1000);
  expect(started).toHaveLength(20);
  await end('0');
  expect(started).toHaveLength(21);
});

test('a refused item is tried again, after longer and longer delays', async () => {
  const times: number[] = [];
  const queue = new WorkQueue<string>(systemClock, () => {
    times.push(performance.now());
    throw refusal;
  });
  queue.add('a', 'a');
  await vi.advanceTimersByTimeAsync(600_000);
  const delays = delaysBetween(times);
  expect(delays.slice(0, 4)).toStrictEqual([5, 10, 20, 40]);
  expect(Math.max(...delays)).toBe(60_000);
  queue.stop();
  expect(vi.getTimerCount()).toBe(0);
});

test('an item that succeeds starts again with short delays', async () => {
  const times: number[] = [];
  const queue = new WorkQueue<string>(systemClock, () => {
    times.push(performance.now());
    if (times.length % 3 !== 0) throw refusal;
  });
  queue.add('a', 'a');
  await vi.advanceTimersByTimeAsync(1000);
  queue.add('a', 'a');
  await vi.advanceTimersByTimeAsync(1000);
  const delays = delaysBetween(times);
  expect([delays[0], delays[1], delays[3], delays[4]]).toStrictEqual([5, 10, 5, 10]);
});

test('many refused items are tried again ten times per second', async () => {
  let count = 0;
  const queue = new WorkQueue<string>(systemClock, () => {
    count += 1;
    throw refusal;
  });
  for (let index = 0; index < 1000; index += 1) queue.add(`${index}`, `${index}`);
  await vi.advanceTimersByTimeAsync(1000);
  const before = count;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(count - before).toBeLessThanOrEqual(101);
  expect(count - before).toBeGreaterThanOrEqual(99);
  queue.stop();
});

test('a queue that stops while an item waits does not try it again', async () => {
  const { queue, started, end } = waitingQueue();
  queue.add('a', 'a');
  await vi.advanceTimersByTimeAsync(0);
  queue.stop();
  await end('a', refusal);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(started).toStrictEqual(['a']);
  expect(vi.getTimerCount()).toBe(0);
});

test('an item whose handler has a bug is dropped with a warning', async () => {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  let count = 0;
  const queue = new WorkQueue<string>(systemClock, async () => {
    count += 1;
    await Promise.resolve();
    throw new TypeError('a bug');
  });
  queue.add('a', 'a');
  await vi.advanceTimersByTimeAsync(600_000);
  expect(count).toBe(1);
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message: 'a bug' }));
  warn.mockRestore();
});
