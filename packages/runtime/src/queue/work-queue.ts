import type { Clock } from 'ots-apimachinery/clock/clock';
import { UsageError } from '../errors/usage-error.ts';
import { type Cause, addCause } from '../reasons/cause.ts';
import { Alarm } from './alarm.ts';
import { Fifo } from './fifo.ts';
import { Heap, type HeapItem } from './heap.ts';
import { itemExponentialRateLimiter } from './item-exponential-rate-limiter.ts';
import type { QueueObserver } from './queue-observer.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { type GroupedItem, ReadyGroups } from './ready-groups.ts';

export interface WorkQueueOptions<T> {
  clock: Clock;
  /** Items of the same key are the same item. */
  keyOf: (item: T) => string;
  /** The group of an item; none by default. Groups take turns within a priority. */
  groupOf?: ((item: T) => string | undefined) | undefined;
  /** How many items of a group are handed out at the same time; any number by default. */
  groupLimit?: number | undefined;
  /** Whether the queue takes the item; always by default. Items that it does not take are dropped. */
  accepts?: ((item: T) => boolean) | undefined;
  /** `itemExponentialRateLimiter` by default: 5 ms, doubled with each failure of an item, at most 1000 s. */
  rateLimiter?: RateLimiter | undefined;
  observer?: QueueObserver | undefined;
}

export interface AddOptions {
  /** In milliseconds; 0 by default. */
  after?: number | undefined;
  /** A higher priority is handed out earlier; 0 by default. */
  priority?: number | undefined;
  /** Counts a failure of the item, and delays it by what the rate limiter returns, or by `after` if that is less. */
  rateLimited?: boolean | undefined;
  /** Why it is added; nothing by default. */
  cause?: Cause | undefined;
}

/** What is handed out. */
export interface QueuedItem<T> {
  readonly key: string;
  readonly item: T;
  readonly priority: number;
  /** Why it was handed out: what was added with a delay that something else absorbed does not count. */
  readonly causes: readonly Cause[];
  /** When it became ready, in milliseconds of the clock. */
  readonly readyAt: number;
  /** It was on hold, and is handed out again. */
  readonly isAdmitted: boolean;
}

/** An item and where it is. */
export interface InspectedItem<T> extends Omit<QueuedItem<T>, 'isAdmitted'> {
  readonly state: 'held' | 'working' | 'ready' | 'delayed';
  /** When it was handed out, in milliseconds of the clock; only of what is held or worked on. */
  readonly startedAt: number;
}

/** What is known of an addition besides its item. */
interface Addition {
  priority: number;
  now: number;
  /** In milliseconds. */
  delay: number;
  cause: Cause | undefined;
}

interface Entry<T> extends HeapItem, GroupedItem {
  readonly key: string;
  readonly item: T;
  causes: Cause[];
  /** When the item becomes or became ready. */
  readyAt: number;
  isReady: boolean;
  /** When it was handed out. */
  startedAt: number;
  isHeld: boolean;
  isAdmitted: boolean;
}

/**
 * The pending work, each key once.
 *
 * - An item that is handed out is locked until `done`: a key is never processed twice at the same time. Additions in
 *   between cause exactly one more reconcile, after `done`.
 * - Each key has one entry: of several additions, the earliest time and the highest priority count. An event that
 *   arrives during a delay therefore absorbs it.
 * - The highest priority leaves first, and within a priority the item that has been ready the longest. A ready item
 *   whose priority is raised moves to the end of its new priority.
 * - Groups take turns within a priority, and none has more items handed out than its limit.
 */
export class WorkQueue<T> {
  readonly #clock: Clock;
  readonly #keyOf: (item: T) => string;
  readonly #groupOf: (item: T) => string | undefined;
  readonly #accepts: (item: T) => boolean;
  readonly #rateLimiter: RateLimiter;
  readonly #observer: QueueObserver | undefined;
  /** Pending items: one entry per key, whether ready, delayed, or locked by a running item. */
  readonly #pending = new Map<string, Entry<T>>();
  readonly #ready: ReadyGroups<Entry<T>>;
  readonly #delayed = new Heap<Entry<T>>(isDueBefore);
  /** What is handed out. */
  readonly #working = new Map<string, Entry<T>>();
  readonly #waiters = new Fifo<(item: QueuedItem<T> | undefined) => void>();
  /** One timer for all delays, set for the one that ends first. */
  readonly #alarm: Alarm;
  #lastOrder = 0;
  #handedOut = 0;
  #isShutDown = false;

  constructor(options: WorkQueueOptions<T>) {
    this.#clock = options.clock;
    this.#keyOf = options.keyOf;
    this.#groupOf = options.groupOf ?? (() => undefined);
    this.#accepts = options.accepts ?? (() => true);
    this.#ready = new ReadyGroups(options.groupLimit ?? Number.POSITIVE_INFINITY);
    this.#rateLimiter = options.rateLimiter ?? itemExponentialRateLimiter({ clock: options.clock });
    this.#observer = options.observer;
    this.#alarm = new Alarm(options.clock, () => this.#release(this.#clock.now()));
  }

  /** How many items are ready, including those that a running item of the same key blocks. */
  get length(): number {
    return this.#ready.length + this.#heldUp().length;
  }

  /** The same, by priority. */
  lengths(): ReadonlyMap<number, number> {
    const lengths = this.#ready.lengths();
    for (const { priority } of this.#heldUp()) lengths.set(priority, (lengths.get(priority) ?? 0) + 1);
    return lengths;
  }

  /** The keys of what is handed out and not on hold. */
  get working(): string[] {
    return [...this.#working.values()].filter(({ isHeld }) => !isHeld).map(({ key }) => key);
  }

  /** The keys of what is on hold. */
  get held(): string[] {
    return [...this.#working.values()].filter(({ isHeld }) => isHeld).map(({ key }) => key);
  }

  /** How many items have been handed out in total. */
  get handedOut(): number {
    return this.#handedOut;
  }

  /** How long each unfinished item has taken so far, in milliseconds. */
  unfinished(): number[] {
    const now = this.#clock.now();
    return [...this.#working.values()].flatMap(({ isHeld, startedAt }) => (isHeld ? [] : [now - startedAt]));
  }

  /**
   * Adds the item, or moves an existing one to an earlier time and a higher priority. Does nothing after `shutDown`, and
   * with an item that the queue does not accept.
   * @returns the delay, in milliseconds
   * @throws {UsageError} if the rate limiter does not return a number.
   */
  add(item: T, options: AddOptions = {}): number {
    if (this.#isShutDown || !this.#accepts(item)) return 0;
    const { priority = 0, cause } = options;
    const now = this.#clock.now();
    this.#catchUp(now);
    const key = this.#keyOf(item);
    const delay = this.#delayOf(key, options);
    if (delay > 0) this.#observer?.retried();
    const existing = this.#pending.get(key);
    if (existing) this.#bringForward(existing, { priority, now, delay, cause });
    else this.#insert({ key, item, priority, now, delay, cause });
    this.#serve(now);
    this.#setAlarm(now);
    return delay;
  }

  /** How many failures of the item its rate limiter counts. */
  failures(item: T): number {
    return this.#rateLimiter.failures(this.#keyOf(item));
  }

  /** Resets the delays of the item's key. */
  forget(item: T): void {
    this.#rateLimiter.forget(this.#keyOf(item));
  }

  /** The next item that is ready, locked until `done`; undefined once the queue is shut down. */
  async next(): Promise<QueuedItem<T> | undefined> {
    if (this.#isShutDown) return undefined;
    return this.take() ?? new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Like `next`, without waiting: undefined if nothing is ready. */
  take(): QueuedItem<T> | undefined {
    const now = this.#clock.now();
    this.#catchUp(now);
    const entry = this.#ready.first;
    return entry && this.#handOut(entry, now);
  }

  /** Unlocks what `next` returned. Must follow every `next` that returned something; a second time does nothing. */
  done(handedOut: QueuedItem<T>): void {
    const { key } = handedOut;
    const entry = this.#working.get(key);
    if (!entry || entry !== handedOut) return;
    const now = this.#clock.now();
    this.#working.delete(key);
    this.#ready.ended(entry);
    this.#observer?.finished(now - entry.startedAt);
    const again = this.#pending.get(key);
    if (again?.isReady) this.#ready.add(again);
    this.#serve(now);
  }

  /**
   * Puts what `next` returned aside, still locked. It is handed out again when the promise resolves, in its old place and
   * with what was added meanwhile. Instead of `done`.
   */
  hold(handedOut: QueuedItem<T>, until: Promise<unknown>): void {
    const entry = this.#working.get(handedOut.key);
    if (!entry || entry !== handedOut) return;
    entry.isHeld = true;
    this.#ready.ended(entry);
    this.#serve(this.#clock.now());
    void until.then(() => this.#admit(entry));
  }

  /**
   * Drops what is pending of a group, and resets its delays. What is handed out is not touched.
   * @returns the keys of what was dropped.
   */
  drop(group: string): string[] {
    const dropped = [...this.#pending.values()].filter((entry) => entry.group === group);
    for (const entry of dropped) {
      this.#pending.delete(entry.key);
      this.#delayed.remove(entry);
      if (entry.isReady && !this.#working.has(entry.key)) this.#ready.remove(entry);
      this.#rateLimiter.forget(entry.key);
    }
    this.#setAlarm(this.#clock.now());
    return dropped.map(({ key }) => key);
  }

  /** All items: what is on hold, what is worked on, what is ready, and what is delayed, the first of each first. */
  *inspect(): Generator<InspectedItem<T>> {
    this.#catchUp(this.#clock.now());
    const working = [...this.#working.values()];
    const pending = [...this.#pending.values()];
    for (const entry of working) if (entry.isHeld) yield { ...entry, state: 'held' };
    for (const entry of working) if (!entry.isHeld) yield { ...entry, state: 'working' };
    const byTurn = (a: Entry<T>, b: Entry<T>): number => b.priority - a.priority || a.order - b.order;
    for (const entry of pending.filter(({ isReady }) => isReady).toSorted(byTurn))
      yield { ...entry, state: 'ready' };
    const byTime = (a: Entry<T>, b: Entry<T>): number => (isDueBefore(a, b) ? -1 : 1);
    for (const entry of pending.filter(({ isReady }) => !isReady).toSorted(byTime))
      yield { ...entry, state: 'delayed' };
  }

  /** Wakes all waiting workers and accepts nothing more. Ready items are no longer handed out. */
  shutDown(): void {
    this.#isShutDown = true;
    this.#alarm.set(Number.POSITIVE_INFINITY, 0);
    this.#pending.clear();
    this.#ready.clear();
    this.#delayed.clear();
    for (let wake = this.#waiters.shift(); wake; wake = this.#waiters.shift()) wake(undefined);
  }

  #heldUp(): Entry<T>[] {
    return [...this.#working.keys()]
      .map((key) => this.#pending.get(key))
      .filter((entry) => entry?.isReady === true) as Entry<T>[];
  }

  #delayOf(key: string, { after = 0, rateLimited = false }: AddOptions): number {
    if (!rateLimited) return after;
    const limited = this.#rateLimiter.when(key);
    // The rate limiter is user code. Without this check, a failing item could run all the time.
    if (!(limited >= 0)) throw new UsageError(`The rate limiter returned ${limited}`, 'Return milliseconds.');
    return after > 0 ? Math.min(after, limited) : limited;
  }

  #insert(added: Addition & { key: string; item: T }): void {
    const { key, item, priority, now, delay, cause } = added;
    const entry: Entry<T> = {
      key,
      item,
      group: this.#groupOf(item),
      priority,
      causes: cause ? [cause] : [],
      readyAt: now + delay,
      isReady: false,
      startedAt: 0,
      isHeld: false,
      isAdmitted: false,
      order: (this.#lastOrder += 1),
      heapIndex: -1,
      previous: undefined,
      next: undefined,
    };
    this.#pending.set(key, entry);
    if (delay > 0) this.#delayed.add(entry);
    else this.#makeReady(entry, now);
  }

  #bringForward(entry: Entry<T>, { priority, now, delay, cause }: Addition): void {
    if (entry.isReady) {
      if (priority > entry.priority) this.#raise(entry, priority);
      if (cause && delay <= 0) addCause(entry.causes, cause);
      return;
    }
    entry.priority = Math.max(entry.priority, priority);
    const readyAt = now + delay;
    if (readyAt >= entry.readyAt) return;
    this.#delayed.remove(entry);
    entry.readyAt = readyAt;
    entry.causes = cause ? [cause] : [];
    if (delay > 0) this.#delayed.add(entry);
    else this.#makeReady(entry, now);
  }

  #raise(entry: Entry<T>, priority: number): void {
    const isLocked = this.#working.has(entry.key);
    if (!isLocked) this.#ready.remove(entry);
    entry.priority = priority;
    entry.order = this.#lastOrder += 1;
    if (!isLocked) this.#ready.add(entry);
  }

  /** Puts the entry among the ready items, even while a running item of its key blocks it. */
  #makeReady(entry: Entry<T>, now: number): void {
    entry.isReady = true;
    entry.readyAt = now;
    entry.order = this.#lastOrder += 1;
    this.#observer?.added();
    if (!this.#working.has(entry.key)) this.#ready.add(entry);
  }

  /** Hands ready items to waiting workers. */
  #serve(now: number): void {
    for (let first = this.#ready.first; first && this.#waiters.length > 0; first = this.#ready.first) {
      this.#waiters.shift()!(this.#handOut(first, now));
    }
  }

  #handOut(entry: Entry<T>, now: number): QueuedItem<T> {
    this.#pending.delete(entry.key);
    this.#working.set(entry.key, entry);
    this.#ready.handOut(entry);
    this.#handedOut += 1;
    entry.startedAt = now;
    this.#observer?.started(now - entry.readyAt);
    return entry;
  }

  /** The timer is late in a busy process: due items go before items that are added or requested now. */
  #catchUp(now: number): void {
    if (this.#alarm.due <= now) this.#release(now);
  }

  /** Makes an item ready that was on hold. */
  #admit(entry: Entry<T>): void {
    if (this.#isShutDown) return;
    const now = this.#clock.now();
    this.#catchUp(now);
    const again = this.#pending.get(entry.key);
    if (again) this.#absorb(entry, again);
    this.#working.delete(entry.key);
    if (!this.#accepts(entry.item)) return;
    entry.isHeld = false;
    entry.isAdmitted = true;
    this.#pending.set(entry.key, entry);
    this.#ready.add(entry);
    this.#serve(now);
    this.#setAlarm(now);
  }

  #absorb(entry: Entry<T>, again: Entry<T>): void {
    this.#delayed.remove(again);
    if (!again.isReady) return;
    entry.priority = Math.max(entry.priority, again.priority);
    for (const cause of again.causes) addCause(entry.causes, cause);
  }

  /** Makes due items ready. */
  #release(now: number): void {
    for (let first = this.#delayed.first; first && first.readyAt <= now; first = this.#delayed.first) {
      this.#delayed.remove(first);
      this.#makeReady(first, now);
    }
    this.#serve(now);
    this.#setAlarm(now);
  }

  #setAlarm(now: number): void {
    this.#alarm.set(this.#delayed.first?.readyAt ?? Number.POSITIVE_INFINITY, now);
  }
}

function isDueBefore(a: Entry<unknown>, b: Entry<unknown>): boolean {
  return a.readyAt === b.readyAt ? a.order < b.order : a.readyAt < b.readyAt;
}
