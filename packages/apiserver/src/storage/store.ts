import type { Change } from './change-log.ts';
import { type Journal, Table } from './table.ts';

/** Hears of a change after it is stored. */
export type ChangeListener = (table: Table, change: Change) => void;

/** Everything that is stored: one table a resource, one counter for all resource versions. */
export class Store implements Journal {
  readonly #historyCapacity: number;
  readonly #listeners = new Set<ChangeListener>();
  readonly #undelivered: [Table, Change][] = [];
  #delivering = false;
  #revision = 0;

  /** @param historyCapacity how many changes each table remembers at least */
  constructor(historyCapacity: number) {
    this.#historyCapacity = historyCapacity;
  }

  /** The newest revision that was given out. */
  get revision(): number {
    return this.#revision;
  }

  createTable(): Table {
    return new Table(this, this.#historyCapacity);
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  nextRevision(): number {
    this.#revision += 1;
    return this.#revision;
  }

  /** A listener may write: every listener still hears of the changes in the order of their revisions. */
  committed(table: Table, change: Change): void {
    this.#undelivered.push([table, change]);
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let next = this.#undelivered.shift(); next; next = this.#undelivered.shift()) {
        for (const listener of this.#listeners) listener(...next);
      }
    } finally {
      this.#delivering = false;
    }
  }
}
