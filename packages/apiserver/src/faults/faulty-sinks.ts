import type { Clock } from 'ots-apimachinery/clock/clock';
import type { EventSink } from '../http/event-sink.ts';
import type { Fault } from './fault.ts';
import { reorderEvents } from './reorder-events.ts';

/** Stands in front of the sink of a watch, and changes what reaches it until a fault is removed. */
abstract class FaultySink implements EventSink {
  protected readonly inner: EventSink;

  constructor(inner: EventSink) {
    this.inner = inner;
  }

  abstract readonly size: number;

  get isClosed(): boolean {
    return this.inner.isClosed;
  }

  abstract add(event: string): void;
  abstract flush(): boolean;
  abstract end(): void;

  destroy(): void {
    this.inner.destroy();
  }

  listen(drained: () => void, closed: () => void): void {
    this.inner.listen(drained, closed);
  }
}

/** Sends nothing, not even the end of the watch. The connection breaks when the fault is removed. */
export class SilentSink extends FaultySink {
  readonly size = 0;

  constructor(inner: EventSink, fault: Fault) {
    super(inner);
    const release = fault.hold(() => inner.destroy());
    inner.listen(() => {}, release);
  }

  add(): void {}

  flush(): boolean {
    return true;
  }

  end(): void {}
}

/** How a {@link LateSink} sends. */
export interface LateOptions {
  readonly clock: Clock;
  /** How long events wait, in milliseconds. */
  readonly milliseconds: number;
  /** Whether what waits at the same time is sent together, in another order. Otherwise each batch is sent in its turn. */
  readonly reorders: boolean;
}

interface Batch {
  readonly events: readonly string[];
  /** Whether the watch ends after it. */
  readonly isLast: boolean;
}

/** Sends events, and the end of the watch, later. When the fault is removed, everything that waits is sent at once. */
export class LateSink extends FaultySink {
  readonly #fault: Fault;
  readonly #options: LateOptions;
  readonly #waiting: Batch[] = [];
  readonly #timers = new Set<unknown>();
  #events: string[] = [];
  #size = 0;

  constructor(inner: EventSink, fault: Fault, options: LateOptions) {
    super(inner);
    this.#fault = fault;
    this.#options = options;
    const release = fault.hold(() => this.#send(this.#waiting.length));
    const close = () => {
      release();
      this.#stopTimers();
    };
    inner.listen(() => {}, close);
  }

  /** Only of what is not flushed. */
  get size(): number {
    return this.#size;
  }

  add(event: string): void {
    this.#events.push(event);
    this.#size += event.length;
  }

  flush(): boolean {
    const events = this.#events;
    this.#events = [];
    this.#size = 0;
    return this.#sendLater({ events, isLast: false });
  }

  end(): void {
    this.#sendLater({ events: [], isLast: true });
  }

  #sendLater(batch: Batch): boolean {
    this.#waiting.push(batch);
    if (this.#fault.isRemoved) return this.#send(1);
    const { clock, milliseconds, reorders } = this.#options;
    if (reorders && this.#timers.size > 0) return true;
    const timer = clock.setTimeout(() => {
      this.#timers.delete(timer);
      this.#send(reorders ? this.#waiting.length : 1);
    }, milliseconds);
    this.#timers.add(timer);
    return true;
  }

  /** @returns whether the client can take more */
  #send(count: number): boolean {
    if (this.#fault.isRemoved) this.#stopTimers();
    const batches = this.#waiting.splice(0, count);
    const events = batches.flatMap((batch) => batch.events);
    for (const event of this.#options.reorders ? reorderEvents(events) : events) this.inner.add(event);
    const canTakeMore = events.length === 0 || this.inner.flush();
    if (batches.some(({ isLast }) => isLast)) this.inner.end();
    return canTakeMore;
  }

  #stopTimers(): void {
    for (const timer of this.#timers) this.#options.clock.clearTimeout(timer);
    this.#timers.clear();
  }
}
