import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { WorkQueue } from './work-queue.ts';

function setUp(): { clock: VirtualClock; queue: WorkQueue<string> } {
  const clock = new VirtualClock();
  return { clock, queue: new WorkQueue({ clock, keyOf: (item: string) => item }) };
}

/** What `next` would return right now, without waiting: undefined for nothing. */
async function take(queue: WorkQueue<string>): Promise<string | undefined> {
  return queue.length > 0 ? queue.next() : undefined;
}

describe('deduplication', () => {
  test('hands out each key once, in the order of arrival', async () => {
    const { queue } = setUp();
    for (const item of ['a', 'b', 'a', 'c', 'b']) queue.add(item);
    expect(queue.length).toBe(3);
    expect([await take(queue), await take(queue), await take(queue)]).toEqual(['a', 'b', 'c']);
    expect(queue.length).toBe(0);
  });

  test('an item added during its run is handed out once more, after done and not before', async () => {
    const { queue } = setUp();
    queue.add('a');
    await queue.next();
    queue.add('a');
    queue.add('a');
    expect(queue.length).toBe(0);
    queue.done('a');
    expect(await take(queue)).toBe('a');
    queue.done('a');
    expect(await take(queue)).toBeUndefined();
  });

  test('a locked item does not hold up the others', async () => {
    const { queue } = setUp();
    queue.add('a');
    await queue.next();
    queue.add('a');
    queue.add('b');
    expect(await take(queue)).toBe('b');
  });

  test('a waiting worker gets an item the moment it is unlocked', async () => {
    const { queue } = setUp();
    queue.add('a');
    await queue.next();
    const waiting = queue.next();
    queue.add('a');
    queue.done('a');
    expect(await waiting).toBe('a');
  });

  test('done without next does nothing', () => {
    const { queue } = setUp();
    queue.add('a');
    queue.done('a');
    expect(queue.length).toBe(1);
  });
});

describe('delays', () => {
  test('an item is ready when its time has come, and wakes a waiting worker', async () => {
    const { clock, queue } = setUp();
    const waiting = queue.next();
    queue.addAfter('a', 1000);
    await clock.advance(999);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(await waiting).toBe('a');
  });

  test('items leave in the order in which they become due, with one timer for all', async () => {
    const { clock, queue } = setUp();
    queue.addAfter('late', 3000);
    queue.addAfter('early', 1000);
    queue.addAfter('middle', 2000);
    expect(clock.delays).toEqual([1000]);
    await clock.advance(3000);
    expect([await take(queue), await take(queue), await take(queue)]).toEqual(['early', 'middle', 'late']);
    expect(clock.delays).toEqual([]);
  });

  test('the earlier of two times of one key counts', async () => {
    const { clock, queue } = setUp();
    queue.addAfter('a', 1000);
    queue.addAfter('a', 5000);
    queue.addAfter('a', 500);
    await clock.advance(500);
    expect(await take(queue)).toBe('a');
    queue.done('a');
    await clock.advance(10_000);
    expect(await take(queue)).toBeUndefined();
  });

  test('an event absorbs a delay that is pending', async () => {
    const { clock, queue } = setUp();
    queue.addAfter('a', 1000);
    queue.add('a');
    expect(await take(queue)).toBe('a');
    queue.done('a');
    await clock.advance(1000);
    expect(await take(queue)).toBeUndefined();
  });

  test('a delay that ends during a run makes one more run', async () => {
    const { clock, queue } = setUp();
    queue.add('a');
    await queue.next();
    queue.addAfter('a', 10);
    await clock.advance(10);
    expect(queue.length).toBe(0);
    queue.done('a');
    expect(await take(queue)).toBe('a');
  });

  test('a delay of years fires when it should, although timers cannot be that long', async () => {
    const { clock, queue } = setUp();
    const year = 365 * 24 * 3_600_000;
    queue.addAfter('a', year);
    expect(clock.delays[0]).toBeLessThan(2 ** 31);
    await clock.advance(year - 1);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(queue.length).toBe(1);
  });
});

describe('retries', () => {
  test('the delay doubles from 5 ms, ends at 1000 s, and starts over when forgotten', async () => {
    const { clock, queue } = setUp();
    const delays: number[] = [];
    for (let failure = 0; failure < 20; failure += 1) {
      queue.addRateLimited('a');
      delays.push(clock.delays[0]!);
      await clock.advance(clock.delays[0]!);
      await queue.next();
      queue.done('a');
    }
    expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(delays.slice(-2)).toEqual([1_000_000, 1_000_000]);
    expect(queue.failures('a')).toBe(20);
    queue.forget('a');
    queue.addRateLimited('a');
    expect(clock.delays).toEqual([5]);
  });

  test('keys fail independently', () => {
    const { queue } = setUp();
    queue.addRateLimited('a');
    queue.addRateLimited('a');
    queue.addRateLimited('b');
    expect([queue.failures('a'), queue.failures('b'), queue.failures('c')]).toEqual([2, 1, 0]);
  });
});

describe('shutting down', () => {
  test('wakes workers, takes nothing more and leaves no timer', async () => {
    const { clock, queue } = setUp();
    const waiting = [queue.next(), queue.next()];
    queue.addAfter('a', 1000);
    queue.shutDown();
    queue.add('b');
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect(await queue.next()).toBeUndefined();
    expect(clock.delays).toEqual([]);
  });
});

const key = constantFrom('a', 'b', 'c', 'd');
const delay = integer({ min: 0, max: 50 });
const action = constantFrom('add', 'addAfter', 'addRateLimited', 'forget', 'done', 'next', 'next', 'advance');
const step = record({ do: action, key, delay });

test('whatever happens, a key never runs twice at a time and nothing that was added is lost', async () => {
  await assert(
    asyncProperty(array(step, { maxLength: 60 }), async (steps) => {
      const { clock, queue } = setUp();
      const running = new Set<string>();
      // Keys that were added since they were last handed out: each must still come.
      const owed = new Set<string>();
      const start = async (): Promise<void> => {
        const item = await take(queue);
        if (item === undefined) return;
        expect(running.has(item)).toBe(false);
        expect(owed.has(item)).toBe(true);
        running.add(item);
        owed.delete(item);
      };
      for (const each of steps) {
        if (each.do === 'next') await start();
        else if (each.do === 'advance') await clock.advance(each.delay);
        else if (each.do === 'forget') queue.forget(each.key);
        else if (each.do === 'done') {
          running.delete(each.key);
          queue.done(each.key);
        } else {
          owed.add(each.key);
          if (each.do === 'addAfter') queue.addAfter(each.key, each.delay);
          else queue[each.do](each.key);
        }
      }
      for (const item of running) queue.done(item);
      running.clear();
      await clock.advance(2_000_000);
      while (queue.length > 0) await start();
      expect(owed).toEqual(new Set());
      expect(clock.delays).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('its measures follow what happens', async () => {
  const clock = new VirtualClock();
  const log: string[] = [];
  const queue = new WorkQueue<string>({
    clock,
    keyOf: (item) => item,
    observer: {
      added: () => log.push('added'),
      started: (waited) => log.push(`started after ${waited}`),
      finished: (worked) => log.push(`finished in ${worked}`),
      retried: () => log.push('retried'),
    },
  });
  queue.addRateLimited('a');
  expect(log).toEqual(['retried']);
  await clock.advance(5);
  await clock.advance(7);
  await queue.next();
  await clock.advance(11);
  expect(queue.unfinished()).toEqual([11]);
  queue.done('a');
  await settled();
  expect(log).toEqual(['retried', 'added', 'started after 7', 'finished in 11']);
});
