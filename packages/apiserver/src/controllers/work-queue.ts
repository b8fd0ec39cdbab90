import type { Clock } from 'ots-apimachinery/clock/clock';
import { StatusError } from '../status/status-error.ts';
import { RetryDelays } from './retry-delays.ts';

/** How many milliseconds work continues before requests get their turn. By a clock that stands still there is no limit. */
const slice = 8;
/** How many items wait for webhooks at the same time: as many as a real garbage collector has workers. */
const maxWaiting = 20;

/**
 * Work to do after the pending requests are answered. An item that is added again before its turn is done once, and never
 * twice at the same time. An item that the server refuses gets another turn later.
 */
export class WorkQueue<Item> {
  readonly #clock: Clock;
  readonly #handle: (item: Item) => void | Promise<void>;
  readonly #pending = new Map<string, Item>();
  readonly #waiting = new Set<string>();
  readonly #delays: RetryDelays;
  readonly #retries = new Map<string, unknown>();
  #turn: NodeJS.Immediate | undefined;
  #isStopped = false;

  /**
   * @param handle processes one item. Returns a promise when it has to wait: then other items get their turn. When it fails
   *   with anything but a StatusError, the item is dropped and the process emits a warning.
   */
  constructor(clock: Clock, handle: (item: Item) => void | Promise<void>) {
    this.#clock = clock;
    this.#delays = new RetryDelays(clock);
    this.#handle = handle;
  }

  add(key: string, item: Item): void {
    if (this.#isStopped) return;
    this.#pending.set(key, item);
    this.#schedule();
  }

  /** Drops all work. */
  stop(): void {
    this.#isStopped = true;
    this.#pending.clear();
    for (const retry of this.#retries.values()) this.#clock.clearTimeout(retry);
    clearImmediate(this.#turn);
  }

  #schedule(): void {
    if (this.#turn || this.#waiting.size === maxWaiting) return;
    for (const key of this.#pending.keys()) {
      if (this.#waiting.has(key)) continue;
      this.#turn = setImmediate(() => this.#work());
      return;
    }
  }

  #work(): void {
    const end = this.#clock.now() + slice;
    for (const [key, item] of this.#pending) {
      if (this.#waiting.has(key)) continue;
      this.#pending.delete(key);
      this.#start(key, item);
      if (this.#waiting.size === maxWaiting || this.#clock.now() > end) break;
    }
    this.#turn = undefined;
    this.#schedule();
  }

  #start(key: string, item: Item): void {
    try {
      const waiting = this.#handle(item);
      if (waiting) void this.#await(key, item, waiting);
      else this.#succeeded(key);
    } catch (error) {
      this.#failed(key, item, error);
    }
  }

  async #await(key: string, item: Item, waiting: Promise<void>): Promise<void> {
    this.#waiting.add(key);
    try {
      await waiting;
      this.#succeeded(key);
    } catch (error) {
      this.#failed(key, item, error);
    }
    this.#waiting.delete(key);
    this.#schedule();
  }

  #succeeded(key: string): void {
    this.#delays.forget(key);
    this.#cancelRetry(key);
  }

  #failed(key: string, item: Item, error: unknown): void {
    if (this.#isStopped) return;
    if (!(error instanceof StatusError)) {
      process.emitWarning(error instanceof Error ? error : String(error));
      return;
    }
    this.#cancelRetry(key);
    const retry = this.#clock.setTimeout(() => {
      this.#retries.delete(key);
      this.add(key, item);
    }, this.#delays.next(key));
    this.#retries.set(key, retry);
  }

  #cancelRetry(key: string): void {
    this.#clock.clearTimeout(this.#retries.get(key));
    this.#retries.delete(key);
  }
}
