import type { Change, HistoryLimits } from './change-log.ts';
import type { StorageForm } from './check-size.ts';
import { type Journal, Table } from './table.ts';

/** Receives a change after it is stored. */
export type ChangeListener = (table: Table, change: Change) => void;

/** All stored objects: one table per resource, one counter for all resource versions. */
export class Store implements Journal {
  readonly #history: HistoryLimits;
  readonly #maxWaitMs: number;
  readonly #listeners = new Set<ChangeListener>();
  readonly #waiting = new Set<{ revision: number; end: () => void }>();
  readonly #undelivered: [Table, Change][] = [];
  #delivering = false;
  #revision = 0;

  /**
   * @param history how much history each table keeps
   * @param maxWaitMs how long {@link reached} waits, in milliseconds; default 3000, as in kube-apiserver
   */
  constructor(history: HistoryLimits, maxWaitMs = 3000) {
    this.#history = history;
    this.#maxWaitMs = maxWaitMs;
  }

  /** The newest revision assigned so far. */
  get revision(): number {
    return this.#revision;
  }

  /** @param form how a real server encodes the objects, which decides their maximum size */
  createTable(form: StorageForm = 'protobuf'): Table {
    return new Table(this, this.#history, form);
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Waits until the store reaches a revision that clients already know, or until `maxWaitMs` is over. */
  async reached(revision: number): Promise<void> {
    if (revision <= this.#revision) return;
    await new Promise<void>((resolve) => {
      const waiter = { revision, end: () => resolve(this.#stopWaiting(waiter, timer)) };
      const timer = setTimeout(waiter.end, this.#maxWaitMs);
      // A waiting client keeps the process alive by its connection; a stopped server needs no timer.
      timer.unref();
      this.#waiting.add(waiter);
    });
  }

  /** A listener may write: every listener still receives the changes in the order of their revisions. */
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
    table.subscribers.notify(change);
    for (const listener of this.#listeners) listener(table, change);
    for (const waiter of this.#waiting) if (waiter.revision <= change.record.revision) waiter.end();
  }

  #stopWaiting(waiter: { revision: number; end: () => void }, timer: NodeJS.Timeout): void {
    clearTimeout(timer);
    this.#waiting.delete(waiter);
  }
}
