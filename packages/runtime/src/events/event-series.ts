import type { Event } from 'ots-kubernetes/events/v1';
import { microTime } from '../clock/micro-time.ts';

/** An event and its repetitions, which the server sees as one object with a count. */
export class EventSeries {
  /** The first occurrence. */
  readonly #event: Event;
  #count = 1;
  #lastEpoch = 0;
  /** How many repetitions are settled: written, or impossible to write. */
  #settled = 0;
  #exists = false;

  /** When it was last seen, and last written, on the monotonic clock. */
  seenAt: number;
  writtenAt: number;

  constructor(event: Event, now: number) {
    this.#event = event;
    this.seenAt = now;
    this.writtenAt = now;
  }

  get count(): number {
    return this.#count;
  }

  /** Has repetitions that have not been written or tried. */
  get isBehind(): boolean {
    return this.#settled < this.#count;
  }

  /** The server has the event, unless it expired. */
  get exists(): boolean {
    return this.#exists;
  }

  get key(): { name: string; namespace: string } {
    const { name = '', namespace = '' } = this.#event.metadata;
    return { name, namespace };
  }

  /** Counts a repetition. */
  repeat(now: number, epoch: number): void {
    this.#count += 1;
    this.#lastEpoch = epoch;
    this.seenAt = now;
  }

  /** Returns the event with the current count. */
  toEvent(): Event {
    return this.#count === 1 ? this.#event : { ...this.#event, ...this.toPatch() };
  }

  /** Returns what changed since the event was first written. */
  toPatch(): Required<Pick<Event, 'series'>> {
    return { series: { count: this.#count, lastObservedTime: microTime(this.#lastEpoch) } };
  }

  /** The server has the event with this many repetitions. */
  wrote(count: number, now: number): void {
    this.#exists = true;
    this.#settled = count;
    this.writtenAt = now;
  }

  /** The event cannot be written now. The next repetition tries again. */
  giveUp(): void {
    this.#settled = this.#count;
  }
}
