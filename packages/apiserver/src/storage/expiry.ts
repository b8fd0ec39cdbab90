import type { Change } from './change-log.ts';
import type { Table } from './table.ts';

/** How often expired objects are removed, in milliseconds. */
const interval = 1000;

/** Removes the objects of a table some time after their last write. */
export class Expiry {
  readonly #table: Table;
  readonly #lifetime: number;
  readonly #now: () => Date;
  readonly #unsubscribe: () => void;
  /** When objects expire, by key. All live equally long, so those that expire next come first. */
  readonly #deadlines = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param table an empty table
   * @param lifetime in milliseconds
   */
  constructor(table: Table, lifetime: number, now: () => Date) {
    this.#table = table;
    this.#lifetime = lifetime;
    this.#now = now;
    this.#unsubscribe = table.subscribers.add('', (change) => this.#onChange(change));
  }

  stop(): void {
    this.#unsubscribe();
    clearInterval(this.#timer);
  }

  #onChange({ type, record }: Change): void {
    this.#deadlines.delete(record.key);
    if (type === 'DELETED') return;
    this.#deadlines.set(record.key, this.#now().getTime() + this.#lifetime);
    // Not one timer for the next deadline: the clock may be one that a test moves.
    this.#timer ??= setInterval(() => this.#removeExpired(), interval).unref();
  }

  #removeExpired(): void {
    const now = this.#now().getTime();
    for (const [key, deadline] of this.#deadlines) {
      if (deadline > now) return;
      const record = this.#table.get(key);
      if (record) this.#table.delete(record);
    }
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
