import { type Clock, longestDelay } from '../clock/clock.ts';
import { type Delayed, DelayHeap } from './delay-heap.ts';
import { Fifo } from './fifo.ts';

/** Told of what happens in a queue, for metrics. Times are in milliseconds. */
export interface QueueObserver {
  /** An item became ready to be worked on. */
  added(): void;
  /** An item was handed out after it had been ready for `waited`. */
  started(waited: number): void;
  /** Work on an item took `worked`. */
  finished(worked: number): void;
  retried(): void;
}

export interface WorkQueueOptions<T> {
  clock: Clock;
  /** Items of the same key are the same item. */
  keyOf: (item: T) => string;
  observer?: QueueObserver | undefined;
}

interface Entry<T> extends Delayed {
  key: string;
  item: T;
  ready: boolean;
}

const firstRetry = 5;
const longestRetry = 1_000_000;

/**
 * What remains to be worked on, each key once.
 *
 * - An item that is handed out is locked until `done`: never two runs of one key at a time. Additions meanwhile make
 *   exactly one more run, after `done`.
 * - There is one entry for a key: an addition with a delay and one without make the earlier of the two. An event that
 *   arrives during a delay therefore absorbs it.
 */
export class WorkQueue<T> {
  readonly #clock: Clock;
  readonly #keyOf: (item: T) => string;
  readonly #observer: QueueObserver | undefined;
  /** What is to be handed out: one entry a key, be it ready, delayed, or locked out by a run. */
  readonly #pending = new Map<string, Entry<T>>();
  readonly #ready = new Fifo<Entry<T>>();
  readonly #delayed = new DelayHeap<Entry<T>>();
  /** When the work on each key began. */
  readonly #working = new Map<string, number>();
  readonly #failures = new Map<string, number>();
  readonly #waiters = new Fifo<(item: T | undefined) => void>();
  #timer: unknown;
  #timerDue = Number.POSITIVE_INFINITY;
  #isShutDown = false;

  constructor(options: WorkQueueOptions<T>) {
    this.#clock = options.clock;
    this.#keyOf = options.keyOf;
    this.#observer = options.observer;
  }

  /** How many items are ready to be handed out. */
  get length(): number {
    return this.#ready.length;
  }

  /** How long each unfinished piece of work has taken so far, in milliseconds. */
  unfinished(): number[] {
    const now = this.#clock.now();
    return [...this.#working.values()].map((since) => now - since);
  }

  add(item: T): void {
    this.addAfter(item, 0);
  }

  /** Adds the item after a delay in milliseconds, or when it was to be ready already, whichever comes first. */
  addAfter(item: T, delay: number): void {
    if (this.#isShutDown) return;
    const key = this.#keyOf(item);
    const readyAt = this.#clock.now() + delay;
    const existing = this.#pending.get(key);
    if (existing) {
      if (existing.ready || existing.readyAt <= readyAt) return;
      this.#delayed.remove(existing);
    }
    const entry: Entry<T> = { key, item, readyAt, heapIndex: -1, ready: false };
    this.#pending.set(key, entry);
    if (delay <= 0) {
      this.#makeReady(entry);
    } else {
      this.#delayed.add(entry);
    }
    this.#arm();
  }

  /** Adds the item after a delay that doubles with every failure of its key: 5 ms to 1000 s. */
  addRateLimited(item: T): void {
    const failures = this.failures(item);
    this.#failures.set(this.#keyOf(item), failures + 1);
    this.#observer?.retried();
    this.addAfter(item, Math.min(firstRetry * 2 ** failures, longestRetry));
  }

  /** How often the item has been added with a growing delay since it was last forgotten. */
  failures(item: T): number {
    return this.#failures.get(this.#keyOf(item)) ?? 0;
  }

  /** Starts the delays of the item's key over. */
  forget(item: T): void {
    this.#failures.delete(this.#keyOf(item));
  }

  /** The next item that is ready, locked until `done`; undefined once the queue is shut down. */
  next(): Promise<T | undefined> {
    if (this.#isShutDown) return Promise.resolve(undefined);
    const entry = this.#ready.shift();
    if (entry) return Promise.resolve(this.#handOut(entry));
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Unlocks the item. Must follow every `next` that returned one. */
  done(item: T): void {
    const key = this.#keyOf(item);
    const since = this.#working.get(key);
    if (since === undefined) return;
    this.#working.delete(key);
    this.#observer?.finished(this.#clock.now() - since);
    const again = this.#pending.get(key);
    if (again?.ready && !this.#isShutDown) this.#offer(again);
  }

  /** Wakes everybody who waits, and takes nothing more. What is ready is not handed out any more. */
  shutDown(): void {
    this.#isShutDown = true;
    this.#clock.clearTimeout(this.#timer);
    for (let wake = this.#waiters.shift(); wake; wake = this.#waiters.shift()) wake(undefined);
  }

  #makeReady(entry: Entry<T>): void {
    entry.ready = true;
    entry.readyAt = this.#clock.now();
    this.#observer?.added();
    if (!this.#working.has(entry.key)) this.#offer(entry);
  }

  #offer(entry: Entry<T>): void {
    const waiter = this.#waiters.shift();
    if (waiter) waiter(this.#handOut(entry));
    else this.#ready.push(entry);
  }

  #handOut(entry: Entry<T>): T {
    const now = this.#clock.now();
    this.#pending.delete(entry.key);
    this.#working.set(entry.key, now);
    this.#observer?.started(now - entry.readyAt);
    return entry.item;
  }

  /** One timer for all delays: set for the one that ends first. */
  #arm(): void {
    const due = this.#delayed.first?.readyAt ?? Number.POSITIVE_INFINITY;
    if (due === this.#timerDue) return;
    this.#clock.clearTimeout(this.#timer);
    this.#timerDue = due;
    if (due === Number.POSITIVE_INFINITY) return;
    const delay = Math.min(Math.max(due - this.#clock.now(), 0), longestDelay);
    this.#timer = this.#clock.setTimeout(() => this.#release(), delay);
  }

  #release(): void {
    this.#timerDue = Number.POSITIVE_INFINITY;
    const now = this.#clock.now();
    for (let first = this.#delayed.first; first && first.readyAt <= now; first = this.#delayed.first) {
      this.#delayed.remove(first);
      this.#makeReady(first);
    }
    this.#arm();
  }
}
