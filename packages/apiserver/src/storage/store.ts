import type { Change, HistoryLimits } from './change-log.ts';
import type { StorageForm } from './check-size.ts';
import { type Journal, Table } from './table.ts';

/** Hears of a change after it is stored. */
export type ChangeListener = (table: Table, change: Change) => void;

/** Everything that is stored: one table a resource, one counter for all resource versions. */
export class Store implements Journal {
  readonly #history: HistoryLimits;
  readonly #patience: number;
  readonly #listeners = new Set<ChangeListener>();
  readonly #waiting = new Set<{ revision: number; end: () => void }>();
  readonly #undelivered: [Table, Change][] = [];
  #delivering = false;
  #revision = 0;

  /**
   * @param history how much each table remembers
   * @param patience milliseconds that {@link reached} waits; 3000 as a kube-apiserver has it
   */
  constructor(history: HistoryLimits, patience = 3000) {
    this.#history = history;
    this.#patience = patience;
  }

  /** The newest revision that was given out. */
  get revision(): number {
    return this.#revision;
  }

  /** @param form how a real server stores the objects, on which their greatest size depends */
  createTable(form: StorageForm = 'protobuf'): Table {
    return new Table(this, this.#history, form);
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Waits for a revision that clients know of and this store has not given out yet: for it, or until patience ends. */
  async reached(revision: number): Promise<void> {
    if (revision <= this.#revision) return;
    await new Promise<void>((resolve) => {
      const waiter = { revision, end: () => resolve(this.#stopWaiting(waiter, timer)) };
      const timer = setTimeout(waiter.end, this.#patience);
      // Who waits holds a connection, which keeps the process; a server that has stopped needs no timer.
      timer.unref();
      this.#waiting.add(waiter);
    });
  }

  /** A listener may write: every listener still hears of the changes in the order of their revisions. */
  committed(table: Table, change: Change): void {
    this.#revision = change.record.revision;
    this.#undelivered.push([table, change]);
    if (this.#delivering) return;
    this.#delivering = true;
    try {
      for (let next = this.#undelivered.shift(); next; next = this.#undelivered.shift())
        this.#deliver(...next);
    } finally {
      this.#delivering = false;
    }
  }

  #deliver(table: Table, change: Change): void {
    table.audience.tell(change);
    for (const listener of this.#listeners) listener(table, change);
    for (const waiter of this.#waiting) if (waiter.revision <= change.record.revision) waiter.end();
  }

  #stopWaiting(waiter: { revision: number; end: () => void }, timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#waiting.delete(waiter);
  }
}
