import { AsyncResource } from 'node:async_hooks';
import type { Clock } from 'ots-apimachinery/clock/clock';

interface Timer {
  readonly due: number;
  /** The order in which timers were set, which decides between those due at the same time. */
  readonly sequence: number;
  /** Undefined when it has fired or was cleared. */
  fire: (() => void) | undefined;
}

/** Fewer cleared timers wait for their turn. */
const minCleared = 1000;

/** A clock that stands still until it is moved. Timers that are due at the same time fire in the order in which they were set. */
export class VirtualClock implements Clock {
  readonly #start: number;
  /** A binary heap: no timer is due before its parent. */
  #timers: Timer[] = [];
  #now: number;
  /** How many of the timers were cleared. */
  #cleared = 0;
  #sequence = 0;

  /**
   * @param start the time of day when the clock was at 0, in milliseconds since 1970
   * @param now where it begins. Default 0.
   */
  constructor(start: number, now = 0) {
    this.#start = start;
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  epoch(): number {
    return this.#start + this.#now;
  }

  setTimeout(callback: () => void, milliseconds: number): unknown {
    this.#sequence += 1;
    // AsyncResource.bind does the same, but defines properties of each function, which takes longer than the rest.
    const context = new AsyncResource('OtsTimer');
    const timer: Timer = {
      due: this.#now + Math.max(0, milliseconds),
      sequence: this.#sequence,
      fire: () => context.runInAsyncScope(callback),
    };
    this.#add(timer);
    return timer;
  }

  clearTimeout(handle: unknown): void {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the handle comes from setTimeout
    const timer = handle as Timer | undefined;
    if (!timer?.fire) return;
    // What it would have run must not stay in memory: most timers are deadlines of requests that end long before.
    timer.fire = undefined;
    this.#cleared += 1;
    if (this.#cleared > minCleared && this.#cleared > this.#timers.length / 2) this.#removeCleared();
  }

  /** Moves to the next timer and fires it, unless it is due after `end`. @returns whether there was one */
  fireNext(end: number): boolean {
    for (let timer = this.#timers[0]; timer && timer.due <= end; timer = this.#timers[0]) {
      this.#removeFirst();
      const { fire } = timer;
      if (!fire) {
        this.#cleared -= 1;
        continue;
      }
      this.#now = Math.max(this.#now, timer.due);
      timer.fire = undefined;
      fire();
      return true;
    }
    this.#now = Math.max(this.#now, end);
    return false;
  }

  /** Removes many at a time, so each one costs little. Timers in their order are a heap. */
  #removeCleared(): void {
    const left = this.#timers.filter(({ fire }) => fire !== undefined);
    left.sort((a, b) => (isBefore(a, b) ? -1 : 1));
    this.#timers = left;
    this.#cleared = 0;
  }

  #add(timer: Timer): void {
    const timers = this.#timers;
    let index = timers.push(timer) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(timer, timers[parent]!)) break;
      timers[index] = timers[parent]!;
      index = parent;
    }
    timers[index] = timer;
  }

  #removeFirst(): void {
    const timers = this.#timers;
    const last = timers.pop()!;
    if (timers.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= timers.length) break;
      if (child + 1 < timers.length && isBefore(timers[child + 1]!, timers[child]!)) child += 1;
      if (!isBefore(timers[child]!, last)) break;
      timers[index] = timers[child]!;
      index = child;
    }
    timers[index] = last;
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.due < b.due || (a.due === b.due && a.sequence < b.sequence);
}
