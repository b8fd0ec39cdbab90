import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Change } from './change-log.ts';
import type { Table } from './table.ts';

/** Removes the objects of a table some time after their last write. */
export class Expiry {
  readonly #table: Table;
  readonly #lifetime: number;
  readonly #clock: Clock;
  readonly #unsubscribe: () => void;
  /** When objects expire, by key. All live equally long, so those that expire next come first. */
  readonly #deadlines = new Map<string, number>();
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
      if (deadline > now) {
        this.#timer = this.#clock.setTimeout(() => this.#removeExpired(), deadline - now);
        return;
      }
      const record = this.#table.get(key);
      if (record) this.#table.delete(record);
    }
  }
}
