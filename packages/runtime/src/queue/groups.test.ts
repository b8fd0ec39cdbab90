import { expect, test } from 'vitest';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { type QueuedItem, WorkQueue } from './work-queue.ts';

/** Items are `group/name`, or a name alone. */
function setUp(groupLimit?: number) {
  const clock = new VirtualClock();
  const gone = new Set<string>();
  const groupOf = (item: string): string | undefined => (item.includes('/') ? item.split('/')[0] : undefined);
  const queue = new WorkQueue<string>({
    clock,
    keyOf: (item) => item,
    groupOf,
    groupLimit,
    accepts: (item) => !gone.has(groupOf(item) ?? ''),
  });
  const out = new Map<string, QueuedItem<string>>();
  const take = (): string | undefined => {
    const next = queue.take();
    if (next) out.set(next.item, next);
    return next?.item;
  };
  const done = (item: string): void => queue.done(out.get(item)!);
  const drain = (): string[] => {
    const items: string[] = [];
    for (let item = take(); item !== undefined; item = take()) {
      items.push(item);
      done(item);
    }
    return items;
  };
  return { clock, queue, gone, take, done, drain };
}

test('a group with thousands of items delays one with a single item by one turn', () => {
  const { queue, take, done, drain } = setUp();
  for (let index = 0; index < 10_000; index += 1) queue.add(`big/${index}`);
  expect(take()).toBe('big/0');
  queue.add('small/0');
  queue.add('own');
  done('big/0');
  const order = drain();
  expect(order.slice(0, 4)).toEqual(['big/1', 'small/0', 'own', 'big/2']);
  expect(order).toHaveLength(10_001);
});

test('a group that always has one more item does not pass the others', () => {
  const { queue, take, done } = setUp();
  queue.add('a/0');
  queue.add('b/0');
  const order: string[] = [];
  for (let index = 1; index < 6; index += 1) {
    queue.add(`b/${index}`);
    const item = take()!;
    order.push(item);
    done(item);
  }
  expect(order).toEqual(['a/0', 'b/0', 'b/1', 'b/2', 'b/3']);
  queue.add('a/1');
  queue.add('b/6');
  expect(take()).toBe('b/4');
  expect(take()).toBe('a/1');
});

test('a higher priority goes first, whatever its group', () => {
  const { queue, drain } = setUp();
  for (const item of ['a/low', 'b/low']) queue.add(item);
  for (const item of ['a/1', 'a/2']) queue.add(item, { priority: 1 });
  queue.add('b/low', { priority: 1 });
  expect(drain()).toEqual(['a/1', 'b/low', 'a/2', 'a/low']);
});

test('a group has no more items handed out than its limit, and others go on', () => {
  const { queue, take, done } = setUp(2);
  for (const item of ['a/1', 'a/2', 'a/3', 'b/1']) queue.add(item);
  expect([take(), take(), take(), take()]).toEqual(['a/1', 'b/1', 'a/2', undefined]);
  expect(queue.length).toBe(1);
  done('b/1');
  expect(take()).toBeUndefined();
  done('a/1');
  expect(take()).toBe('a/3');
});

test('a waiting worker gets an item when its group may have one more', async () => {
  const { queue, take, done } = setUp(1);
  queue.add('a/1');
  queue.add('a/2');
  take();
  const waiting = queue.next();
  done('a/1');
  expect((await waiting)?.item).toBe('a/2');
});

test('an item on hold leaves its place to others of its group', async () => {
  const { queue, take } = setUp(1);
  queue.add('a/1');
  queue.add('a/2');
  const first = queue.take()!;
  let admit!: () => void;
  const waiting = queue.next();
  queue.hold(first, new Promise<void>((resolve) => (admit = resolve)));
  expect((await waiting)?.item).toBe('a/2');
  admit();
  await Promise.resolve();
  await Promise.resolve();
  expect(take()).toBeUndefined();
  queue.done((await waiting)!);
  expect(take()).toBe('a/1');
});

test('dropping a group removes what is ready, delayed and waiting for its own run, and nothing else', async () => {
  const { clock, queue, gone, take, done, drain } = setUp();
  queue.add('a/running');
  take();
  for (const item of ['a/running', 'a/ready', 'b/ready', 'own']) queue.add(item);
  queue.add('a/delayed', { after: 10 });
  queue.add('a/failed', { rateLimited: true });
  gone.add('a');
  expect(queue.drop('a').toSorted()).toEqual(['a/delayed', 'a/failed', 'a/ready', 'a/running']);
  expect(queue.failures('a/failed')).toBe(0);
  expect(clock.delays).toEqual([]);
  queue.add('a/late');
  done('a/running');
  expect(drain()).toEqual(['b/ready', 'own']);
  await clock.advance(20);
  expect(drain()).toEqual([]);
  expect(queue.length).toBe(0);
});

test('what was on hold when its group was dropped is not handed out again', async () => {
  const { queue, gone, take } = setUp();
  queue.add('a/1');
  const held = Promise.resolve();
  queue.hold(queue.take()!, held);
  gone.add('a');
  queue.drop('a');
  await held;
  await Promise.resolve();
  expect(take()).toBeUndefined();
  expect(queue.held).toEqual([]);
});
