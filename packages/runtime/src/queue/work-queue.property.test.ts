import { array, assert, asyncProperty, boolean, constantFrom, integer, record } from 'fast-check';
import { expect, test } from 'vitest';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { type QueuedItem, WorkQueue } from './work-queue.ts';
import { propertyRuns } from '../../../../test/support/property-runs.ts';

/** One key in the model: as plain as the rules can be written down. */
interface Wanted {
  key: string;
  priority: number;
  readyAt: number;
  /** Its place among those of its priority, from when it became ready or was raised; undefined while it is not ready. */
  place: number | undefined;
}

/** The same queue without any structure that makes it fast. */
class Model {
  readonly #wanted = new Map<string, Wanted>();
  readonly running = new Set<string>();
  now: number;
  #places = 0;
  #added = 0;
  readonly #addedAt = new Map<string, number>();

  constructor(now: number) {
    this.now = now;
  }

  add(key: string, after: number, priority: number): void {
    const known = this.#wanted.get(key);
    if (!known) {
      this.#wanted.set(key, { key, priority, readyAt: this.now + after, place: undefined });
      this.#touch(key);
    } else {
      if (known.place === undefined && this.now + after < known.readyAt) known.readyAt = this.now + after;
      if (priority > known.priority) {
        known.priority = priority;
        if (known.place !== undefined) known.place = this.#places++;
      }
    }
    this.#ripen();
  }

  advance(time: number): void {
    for (let step = 0; step < time; step += 1) {
      this.now += 1;
      this.#ripen();
    }
  }

  ready(): Wanted[] {
    return [...this.#wanted.values()]
      .filter(({ key, place }) => place !== undefined && !this.running.has(key))
      .toSorted((a, b) => b.priority - a.priority || a.place! - b.place!);
  }

  /** How many are ready of each priority, also while they run. */
  depths(): Map<number, number> {
    const depths = new Map<number, number>();
    for (const { place, priority } of this.#wanted.values())
      if (place !== undefined) depths.set(priority, (depths.get(priority) ?? 0) + 1);
    return depths;
  }

  next(): Wanted | undefined {
    const first = this.ready()[0];
    if (!first) return undefined;
    this.#wanted.delete(first.key);
    this.running.add(first.key);
    return first;
  }

  get isEmpty(): boolean {
    return this.#wanted.size === 0;
  }

  #touch(key: string): void {
    this.#addedAt.set(key, this.#added++);
  }

  #ripen(): void {
    const ripe = [...this.#wanted.values()].filter(
      ({ place, readyAt }) => place === undefined && readyAt <= this.now,
    );
    ripe.sort((a, b) => a.readyAt - b.readyAt || this.#addedAt.get(a.key)! - this.#addedAt.get(b.key)!);
    for (const each of ripe) each.place = this.#places++;
  }
}

const step = record({
  do: constantFrom('add', 'add', 'add', 'next', 'next', 'done', 'done', 'advance'),
  key: constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  after: constantFrom(0, 0, 0, 1, 2, 5, 9),
  priority: constantFrom(0, 0, 0, -100, 1, 2),
  time: integer({ min: 0, max: 6 }),
  /** A worker waits for the next item when there is none. */
  waits: boolean(),
});

test('it behaves like a simple model of its rules, whatever happens', async () => {
  await assert(
    asyncProperty(array(step, { maxLength: 120 }), async (steps) => {
      const clock = new VirtualClock();
      const queue = new WorkQueue({ clock, keyOf: (item: string) => item });
      const model = new Model(clock.now());
      const out = new Map<string, QueuedItem<string>>();
      let waiting: Promise<QueuedItem<string> | undefined> | undefined;

      const handedOut = (item: QueuedItem<string>): void => {
        const expected = model.next();
        expect(out.has(item.key)).toBe(false);
        expect({ key: item.key, priority: item.priority }).toEqual({
          key: expected!.key,
          priority: expected!.priority,
        });
        out.set(item.key, item);
      };
      /** The waiting worker takes the first item in the very moment in which it is ready. */
      const wake = async (): Promise<void> => {
        if (!waiting || model.ready().length === 0) return;
        const item = (await waiting)!;
        waiting = undefined;
        handedOut(item);
      };

      for (const each of steps) {
        if (each.do === 'add') {
          model.add(each.key, each.after, each.priority);
          queue.add(each.key, { after: each.after, priority: each.priority });
        } else if (each.do === 'done') {
          const item = out.get(each.key);
          if (!item) continue;
          out.delete(each.key);
          model.running.delete(each.key);
          queue.done(item);
        } else if (each.do === 'advance') {
          for (let tick = 0; tick < each.time; tick += 1) {
            model.advance(1);
            await clock.advance(1);
            await wake();
          }
        } else if (model.ready().length > 0) {
          handedOut((await queue.next())!);
        } else if (each.waits) {
          waiting ??= queue.next();
        }
        await wake();
        const depths = model.depths();
        expect(queue.lengths()).toEqual(depths);
        expect(queue.length).toBe([...depths.values()].reduce((sum, depth) => sum + depth, 0));
      }

      // Nothing is lost: all that is wanted comes, and then no timer is left.
      for (const item of out.values()) {
        model.running.delete(item.key);
        queue.done(item);
      }
      out.clear();
      await wake();
      for (let tick = 0; tick < 20; tick += 1) {
        model.advance(1);
        await clock.advance(1);
        await wake();
      }
      for (;;) {
        for (const item of out.values()) {
          model.running.delete(item.key);
          queue.done(item);
        }
        out.clear();
        if (model.ready().length === 0) break;
        handedOut((await queue.next())!);
      }
      expect(model.isEmpty).toBe(true);
      expect(clock.delays).toEqual([]);
    }),
    { numRuns: propertyRuns(75) },
  );
});
