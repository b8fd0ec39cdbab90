import type { Event } from 'ots-kubernetes/events/v1';
import { microTime } from '../clock/micro-time.ts';

/** An event and its repetitions, which the server sees as one object with a count. */
export class EventSeries {
  /** As it was at first. */
  readonly #event: Event;
  #count = 1;
  #lastEpoch = 0;
  /** How many repetitions are settled: they are written, or cannot be. */
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

  /** There is something to write that was not tried. */
  get isBehind(): boolean {
    return this.#settled < this.#count;
  }

  /** The server has it, unless it expired there. */
  get exists(): boolean {
    return this.#exists;
  }

  get key(): { name: string; namespace: string } {
    const { name = '', namespace = '' } = this.#event.metadata;
    return { name, namespace };
  }

  /** It happened again. */
  repeat(now: number, epoch: number): void {
    this.#count += 1;
    this.#lastEpoch = epoch;
    this.seenAt = now;
  }

  /** The event with what has been counted so far. */
  toEvent(): Event {
    return this.#count === 1 ? this.#event : { ...this.#event, ...this.toPatch() };
  }

  /** What changed since the event was first written. */
  toPatch(): Required<Pick<Event, 'series'>> {
    return { series: { count: this.#count, lastObservedTime: microTime(this.#lastEpoch) } };
  }

  /** The server has it, with so many repetitions. */
  wrote(count: number, now: number): void {
    this.#exists = true;
    this.#settled = count;
    this.writtenAt = now;
  }

  /** It cannot be written as it is; if it happens again, that is worth another try. */
  giveUp(): void {
    this.#settled = this.#count;
  }
}
