import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import type { Change, HistoryLimits } from './change-log.ts';
import type { StorageForm } from './check-size.ts';
import { type Journal, Table } from './table.ts';

/** How long a client waits for a revision of the future, in milliseconds. */
const maxWaitMs = 3000;

/** Receives a change after it is stored. */
export type ChangeListener = (table: Table, change: Change) => void;

/** All stored objects: one table per resource, one counter for all resource versions. */
export class Store implements Journal {
  readonly #history: HistoryLimits;
  readonly #clock: Clock;
  readonly #listeners = new Set<ChangeListener>();
  readonly #waiting = new Set<{ revision: number; end: () => void }>();
  readonly #undelivered: [Table, Change][] = [];
  #delivering = false;
  #revision = 0;

  /**
   * @param history how much history each table keeps
   * @param clock for {@link reached}
   */
  constructor(history: HistoryLimits, clock: Clock = systemClock) {
    this.#history = history;
    this.#clock = clock;
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

  /** Waits until the store reaches a revision that clients already know, or for as long as kube-apiserver does. */
  async reached(revision: number): Promise<void> {
    if (revision <= this.#revision) return;
    await new Promise<void>((resolve) => {
      const waiter = { revision, end: () => resolve(this.#stopWaiting(waiter, timer)) };
      const timer = this.#clock.setTimeout(waiter.end, maxWaitMs);
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

  #stopWaiting(waiter: { revision: number; end: () => void }, timer: unknown): void {
    this.#clock.clearTimeout(timer);
    this.#waiting.delete(waiter);
  }
}
