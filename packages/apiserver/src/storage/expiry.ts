import type { Clock } from 'ots-apimachinery/clock/clock';
import { StatusError } from '../status/status-error.ts';
import type { Change } from './change-log.ts';
import type { Table } from './table.ts';

/** When a removal that the store refused is tried again, in milliseconds. */
const retryMs = 1000;

/** Removes the objects of a table some time after their last write. */
export class Expiry {
  readonly #table: Table;
  readonly #lifetime: number;
  readonly #clock: Clock;
  readonly #unsubscribe: () => void;
  /** When objects expire, by key. All live equally long, so those that expire next come first. */
  #deadlines = new Map<string, number>();
  #timer: unknown;

  /**
   * @param table an empty table
   * @param lifetime in milliseconds
   */
  constructor(table: Table, lifetime: number, clock: Clock) {
    this.#table = table;
    this.#lifetime = lifetime;
    this.#clock = clock;
    this.#unsubscribe = table.subscribers.add('', (change) => this.#onChange(change));
  }

  /** When objects expire, by key. */
  get deadlines(): ReadonlyMap<string, number> {
    return new Map(this.#deadlines);
  }

  /** Continues with the deadlines that the objects in the table had before. @param deadlines those that come first are first */
  resume(deadlines: ReadonlyMap<string, number>): void {
    if (deadlines.size === 0) return;
    this.#deadlines = new Map(deadlines);
    this.#clock.clearTimeout(this.#timer);
    this.#timer = this.#clock.setTimeout(() => this.#removeExpired(), 0);
  }

  stop(): void {
    this.#unsubscribe();
    this.#clock.clearTimeout(this.#timer);
  }

  #onChange({ type, record }: Change): void {
    this.#deadlines.delete(record.key);
    if (type === 'DELETED') return;
    this.#deadlines.set(record.key, this.#clock.now() + this.#lifetime);
    this.#timer ??= this.#clock.setTimeout(() => this.#removeExpired(), this.#lifetime);
  }

  #removeExpired(): void {
    const now = this.#clock.now();
    this.#timer = undefined;
    for (const [key, deadline] of this.#deadlines) {
      const delay = deadline > now ? deadline - now : this.#remove(key) ? 0 : retryMs;
      if (delay === 0) continue;
      this.#timer = this.#clock.setTimeout(() => this.#removeExpired(), delay);
      return;
    }
  }

  /** @returns whether the object is gone */
  #remove(key: string): boolean {
    const record = this.#table.get(key);
    try {
      if (record) this.#table.delete(record);
      return true;
    } catch (error) {
      if (error instanceof StatusError) return false;
      throw error;
    }
  }
}
