import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { lowPriority } from './priority.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { type AddOptions, type QueuedItem, WorkQueue } from './work-queue.ts';

interface Fixture {
  clock: VirtualClock;
  queue: WorkQueue<string>;
  /** Hands out what is ready right now, and keeps it locked; undefined for nothing. */
  take: () => Promise<string | undefined>;
  done: (item: string) => void;
  /** Hands out all that is ready, one after the other, each unlocked at once. */
  drain: () => Promise<string[]>;
}

function setUp(rateLimiter?: RateLimiter): Fixture {
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, keyOf: (item: string) => item, rateLimiter });
  const out = new Map<string, QueuedItem<string>>();
  const take = async (): Promise<string | undefined> => {
    const next = queue.take();
    if (next) out.set(next.item, next);
    return next?.item;
  };
  const done = (item: string): void => queue.done(out.get(item)!);
  const drain = async (): Promise<string[]> => {
    const items: string[] = [];
    for (let item = await take(); item !== undefined; item = await take()) {
      items.push(item);
      done(item);
    }
    return items;
  };
  return { clock, queue, take, done, drain };
}

describe('deduplication', () => {
  test('hands out each key once, in the order of arrival', async () => {
    const { queue, drain } = setUp();
    for (const item of ['a', 'b', 'a', 'c', 'b']) queue.add(item);
    expect(queue.length).toBe(3);
    expect(await drain()).toEqual(['a', 'b', 'c']);
    expect(queue.length).toBe(0);
  });

  test('an item added during its run is handed out once more, after done and not before', async () => {
    const { queue, take, done } = setUp();
    queue.add('a');
    await take();
    queue.add('a');
    queue.add('a');
    expect(await take()).toBeUndefined();
    done('a');
    expect(await take()).toBe('a');
    done('a');
    expect(await take()).toBeUndefined();
  });

  test('a locked item does not block others of its priority or below', async () => {
    const { queue, take } = setUp();
    queue.add('a', { priority: 1 });
    await take();
    queue.add('a', { priority: 1 });
    queue.add('b', { priority: 1 });
    queue.add('c');
    expect(await take()).toBe('b');
    expect(await take()).toBe('c');
  });

  test('a waiting worker gets an item the moment it is unlocked', async () => {
    const { queue, take, done } = setUp();
    queue.add('a');
    await take();
    const waiting = queue.next();
    queue.add('a');
    done('a');
    expect((await waiting)?.item).toBe('a');
  });

  test('an item that became ready during its own run keeps its place before later ones', async () => {
    const { queue, take, done, drain } = setUp();
    queue.add('a');
    await take();
    queue.add('before');
    queue.add('a');
    queue.add('after');
    queue.add('last');
    done('a');
    expect(await drain()).toEqual(['before', 'a', 'after', 'last']);
  });

  test('a second done, or one for an item that waits again, unlocks nothing', async () => {
    const { queue, take, done } = setUp();
    queue.add('a');
    await take();
    done('a');
    done('a');
    queue.add('a');
    expect(queue.length).toBe(1);
    expect((await queue.next())?.item).toBe('a');
    queue.add('a');
    done('a');
    expect(await take()).toBeUndefined();
  });
});

describe('causes', () => {
  const source = (name: string) => ({ type: 'source', source: name }) as const;
  const causes = (queue: WorkQueue<string>): unknown => queue.take()?.causes;

  test('what asks for an item while it waits is handed out with it', () => {
    const { queue } = setUp();
    queue.add('a', { cause: source('first') });
    queue.add('b');
    queue.add('a', { cause: source('second') });
    expect([causes(queue), causes(queue)]).toEqual([[source('first'), source('second')], []]);
  });

  test('what comes earlier replaces a delay; what would come later than that is not a cause', async () => {
    const { clock, queue } = setUp();
    queue.add('a', { after: 1000, cause: { type: 'requeue', after: 1000 } });
    queue.add('a', { cause: source('event') });
    queue.add('a', { after: 5, cause: source('later') });
    expect(causes(queue)).toEqual([source('event')]);
    queue.add('b', { after: 1000, cause: { type: 'requeue', after: 1000 } });
    queue.add('b', { after: 2000, cause: source('later') });
    await clock.advance(1000);
    expect(queue.take()).toMatchObject({
      causes: [{ type: 'requeue', after: 1000 }],
      readyAt: clock.now(),
    });
  });

  test('what asks for an item during its run is for the next one', () => {
    const { queue } = setUp();
    queue.add('a', { cause: source('first') });
    const running = queue.take()!;
    queue.add('a', { cause: source('second') });
    queue.done(running);
    expect([running.causes, causes(queue)]).toEqual([[source('first')], [source('second')]]);
  });
});

describe('delays', () => {
  test('an item is ready when it is due, and wakes a waiting worker', async () => {
    const { clock, queue } = setUp();
    const waiting = queue.next();
    queue.add('a', { after: 1000 });
    await clock.advance(999);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect((await waiting)?.item).toBe('a');
  });

  test('items leave in the order in which they become due, with one timer for all', async () => {
    const { clock, queue, drain } = setUp();
    queue.add('late', { after: 3000 });
    queue.add('early', { after: 1000 });
    queue.add('middle', { after: 2000 });
    queue.add('middle too', { after: 2000 });
    expect(clock.delays).toEqual([1000]);
    await clock.advance(3000);
    expect(await drain()).toEqual(['early', 'middle', 'middle too', 'late']);
    expect(clock.delays).toEqual([]);
  });

  test('an item that became ready earlier leaves earlier, whenever it was added', async () => {
    const { clock, queue, drain } = setUp();
    queue.add('delayed', { after: 10 });
    queue.add('first');
    await clock.advance(10);
    queue.add('last');
    expect(await drain()).toEqual(['first', 'delayed', 'last']);
  });

  test('a due item counts as ready although the timer is late', async () => {
    let now = 0;
    const clock = { now: () => now, epoch: () => now, setTimeout: () => undefined, clearTimeout: () => {} };
    const queue = new WorkQueue({ clock, keyOf: (item: string) => item });
    queue.add('delayed', { after: 10 });
    now = 20;
    queue.add('later');
    expect((await queue.next())?.item).toBe('delayed');
    queue.add('next', { after: 10 });
    await queue.next();
    now = 30;
    expect((await queue.next())?.item).toBe('next');
  });

  test('the earliest time of a key counts', async () => {
    const { clock, queue, drain } = setUp();
    queue.add('a', { after: 1000 });
    queue.add('a', { after: 5000 });
    queue.add('a', { after: 500 });
    await clock.advance(500);
    expect(await drain()).toEqual(['a']);
    await clock.advance(10_000);
    expect(queue.length).toBe(0);
  });

  test('an event absorbs a pending delay', async () => {
    const { clock, queue, drain } = setUp();
    queue.add('a', { after: 1000 });
    queue.add('a');
    expect(await drain()).toEqual(['a']);
    await clock.advance(1000);
    expect(queue.length).toBe(0);
    expect(clock.delays).toEqual([]);
  });

  test('a delay that ends during a run causes one more run', async () => {
    const { clock, queue, take, done } = setUp();
    queue.add('a');
    await take();
    queue.add('a', { after: 10 });
    await clock.advance(10);
    expect(await take()).toBeUndefined();
    done('a');
    expect(await take()).toBe('a');
  });

  test('a delay of years fires when it should, although timers cannot be that long', async () => {
    const { clock, queue } = setUp();
    const year = 365 * 24 * 3_600_000;
    queue.add('a', { after: year });
    expect(clock.delays[0]).toBeLessThan(2 ** 31);
    await clock.advance(year - 1);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(queue.length).toBe(1);
  });

  test('an endless delay sets no timer, and ends with the next event', async () => {
    const { clock, queue, drain } = setUp();
    queue.add('a', { after: Infinity });
    expect(clock.delays).toEqual([]);
    queue.add('a', { after: 5 });
    await clock.advance(5);
    expect(await drain()).toEqual(['a']);
  });
});

describe('priorities', () => {
  test('the highest leaves first; within one, the order of arrival', async () => {
    const { queue, drain } = setUp();
    for (const [item, priority] of Object.entries({
      low: lowPriority,
      a: 0,
      top: 7,
      b: 0,
      low2: lowPriority,
    }))
      queue.add(item, { priority });
    expect(queue.lengths()).toEqual(
      new Map([
        [lowPriority, 2],
        [0, 2],
        [7, 1],
      ]),
    );
    expect(await drain()).toEqual(['top', 'a', 'b', 'low', 'low2']);
    expect(queue.lengths()).toEqual(new Map());
  });

  test('a raised priority puts the item at the end of its new priority; a lower one changes nothing', async () => {
    const { queue, drain } = setUp();
    queue.add('raised', { priority: lowPriority });
    queue.add('a');
    queue.add('b');
    queue.add('raised');
    queue.add('c');
    queue.add('a', { priority: lowPriority });
    expect(await drain()).toEqual(['a', 'b', 'raised', 'c']);
  });

  test('a delayed or locked item is also raised', async () => {
    const { clock, queue, take, done } = setUp();
    queue.add('delayed', { after: 10, priority: lowPriority });
    queue.add('delayed', { after: 20, priority: 5 });
    queue.add('locked', { priority: 9 });
    await take();
    queue.add('locked', { priority: lowPriority });
    queue.add('locked', { priority: 3 });
    queue.add('locked', { priority: 1 });
    queue.add('plain', { priority: 3 });
    done('locked');
    await clock.advance(10);
    expect(queue.lengths()).toEqual(
      new Map([
        [5, 1],
        [3, 2],
      ]),
    );
    expect([await take(), await take(), await take()]).toEqual(['delayed', 'locked', 'plain']);
  });

  test('a high priority that becomes ready last leaves first', async () => {
    const { clock, queue, drain } = setUp();
    queue.add('high', { after: 1, priority: 1 });
    queue.add('low');
    await clock.advance(1);
    expect(await drain()).toEqual(['high', 'low']);
  });

  test('it is handed out with the item, and does not outlive the run', async () => {
    const { queue } = setUp();
    queue.add('a', { priority: 5 });
    const first = (await queue.next())!;
    queue.add('a', { priority: -1 });
    queue.done(first);
    expect([first.priority, (await queue.next())?.priority]).toEqual([5, -1]);
  });

  test('its lengths include items that a run of the same key blocks, and not delayed ones', async () => {
    const { queue, take, done } = setUp();
    queue.add('a');
    await take();
    queue.add('a', { after: 10, priority: 9 });
    expect([queue.length, queue.lengths()]).toEqual([0, new Map()]);
    queue.add('a', { priority: 1 });
    queue.add('b', { priority: 9 });
    expect([queue.length, queue.lengths()]).toEqual([2, new Map([[9, 2]])]);
    done('a');
    expect([queue.length, queue.lengths()]).toEqual([2, new Map([[9, 2]])]);
  });
});

describe('retries', () => {
  test('the delay doubles from 5 ms, ends at 1000 s, and starts over when forgotten', async () => {
    const { clock, queue, drain } = setUp();
    const delays: number[] = [];
    for (let failure = 0; failure < 20; failure += 1) {
      queue.add('a', { rateLimited: true });
      delays.push(clock.delays[0]!);
      await clock.advance(clock.delays[0]!);
      await drain();
    }
    expect(delays.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(delays.slice(-2)).toEqual([1_000_000, 1_000_000]);
    expect(queue.failures('a')).toBe(20);
    queue.forget('a');
    queue.add('a', { rateLimited: true });
    expect(clock.delays).toEqual([5]);
  });

  test('keys fail independently', () => {
    const { queue } = setUp();
    for (const item of ['a', 'a', 'b']) queue.add(item, { rateLimited: true });
    expect([queue.failures('a'), queue.failures('b'), queue.failures('c')]).toEqual([2, 1, 0]);
  });

  test.each([
    [100, 20, 20],
    [20, 100, 20],
    [0, 100, 100],
  ])('with a delay of %i and a limit of %i, it waits for %i', (after, limit, expected) => {
    const { clock, queue } = setUp({ when: () => limit, forget: () => {}, failures: () => 0 });
    queue.add('a', { after, rateLimited: true });
    expect(clock.delays).toEqual([expected]);
  });

  test('a limiter without a delay makes the item ready at once', async () => {
    const { queue, drain } = setUp({ when: () => 0, forget: () => {}, failures: () => 0 });
    queue.add('a', { rateLimited: true });
    expect(await drain()).toEqual(['a']);
  });
});

describe('shutting down', () => {
  test('wakes workers, accepts nothing more and leaves no timer', async () => {
    const { clock, queue } = setUp();
    const waiting = [queue.next(), queue.next()];
    queue.add('a', { after: 1000 });
    queue.shutDown();
    queue.add('b');
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect(await queue.next()).toBeUndefined();
    expect(clock.delays).toEqual([]);
    expect(queue.length).toBe(0);
  });

  test('work in progress can still finish', async () => {
    const { queue, take, done } = setUp();
    queue.add('a');
    await take();
    queue.add('a');
    queue.shutDown();
    done('a');
    expect(queue.unfinished()).toEqual([]);
    expect(await queue.next()).toBeUndefined();
  });
});

test('it keeps nothing about finished items', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const clock = new VirtualClock();
  const queue = new WorkQueue({ clock, keyOf: ({ name }: { name: string }) => name });
  const references: WeakRef<object>[] = [];
  const add = (name: string, options: AddOptions): void => {
    const item = { name };
    references.push(new WeakRef(item));
    queue.add(item, options);
  };
  const work = (): void => {
    for (let next = queue.take(); next; next = queue.take()) queue.done(next);
  };
  add('plain', {});
  add('raised', { priority: lowPriority });
  add('raised', { priority: 1 });
  add('delayed', { after: 10 });
  add('failed', { rateLimited: true });
  void queue.next().then((item) => queue.done(item!));
  work();
  await clock.advance(10);
  work();
  const remains = (): unknown[] => references.map((reference) => reference.deref()).filter(Boolean);
  await eventually(() => {
    collectGarbage();
    return remains().length === 0;
  });
  expect(references).toHaveLength(5);
});

test('its observer sees what happens; an item counts when it becomes ready', async () => {
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
  queue.add('a', { rateLimited: true });
  queue.add('a', { after: 100 });
  expect(log.splice(0)).toEqual(['retried', 'retried']);
  await clock.advance(5);
  queue.add('a', { priority: 3 });
  expect(log.splice(0)).toEqual(['added']);
  await clock.advance(7);
  const item = (await queue.next())!;
  queue.add('a');
  await clock.advance(11);
  expect(queue.unfinished()).toEqual([11]);
  queue.done(item);
  await queue.next();
  await settled();
  expect(log).toEqual(['started after 7', 'added', 'finished in 11', 'started after 11']);
});
