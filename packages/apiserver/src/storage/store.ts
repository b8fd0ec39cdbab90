import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import { StatusError } from '../status/status-error.ts';
import { type Change, ChangeLog, type HistoryLimits } from './change-log.ts';
import type { StorageForm } from './check-size.ts';
import type { Persistence } from './persistence.ts';
import type { Snapshot } from './snapshot.ts';
import type { StoredRecord } from './stored-record.ts';
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
  readonly #tables = new Map<string, Table>();
  readonly #onClose = new Set<() => void>();
  readonly #floor: number;
  readonly #persistence: Persistence | undefined;
  #delivering = false;
  #isClosed = false;
  #revision: number;

  /**
   * @param history how much history each table keeps
   * @param clock for {@link reached}
   * @param floor the revision that the store begins with; there is no history before it
   * @param persistence stores each change before it happens. Default: none.
   */
  constructor(history: HistoryLimits, clock: Clock = systemClock, floor = 0, persistence?: Persistence) {
    this.#persistence = persistence;
    this.#history = history;
    this.#clock = clock;
    this.#floor = floor;
    this.#revision = floor;
  }

  /** The newest revision assigned so far. */
  get revision(): number {
    return this.#revision;
  }

  /**
   * @param name what tells the table from the others, in every process
   * @param form how a real server encodes the objects, which decides their maximum size
   */
  createTable(name: string, form: StorageForm = 'protobuf'): Table {
    const table = new Table(this, { name, form, log: new ChangeLog(this.#history, this.#floor) });
    this.#tables.set(name, table);
    return table;
  }

  /** Forgets a table. Its objects, if any are left, are lost. */
  dropTable({ name }: Table): void {
    this.#tables.delete(name);
  }

  /** All objects as they are now. */
  snapshot(): Snapshot {
    const tables = new Map<string, readonly StoredRecord[]>();
    for (const table of this.#tables.values()) if (table.size > 0) tables.set(table.name, table.list());
    return { revision: this.#revision, tables };
  }

  /**
   * Fills a new store, which begins with the revision of the snapshot. Every listener receives every object as an added one.
   *
   * @param defineCustom creates the tables of custom resources; called when their definitions are there
   */
  load({ tables }: Snapshot, defineCustom: () => void): void {
    const missing = new Map(tables);
    const added: [Table, Change][] = [];
    const fill = () => {
      for (const [name, records] of missing) {
        const table = this.#tables.get(name);
        if (!table) continue;
        missing.delete(name);
        table.load(records);
        for (const record of records) added.push([table, { type: 'ADDED', record, previous: undefined }]);
      }
    };
    fill();
    defineCustom();
    fill();
    for (const change of added) this.#undelivered.push(change);
    this.#deliverAll();
  }

  /** Refuses all changes from now on. */
  close(): void {
    this.#isClosed = true;
    for (const callback of this.#onClose) callback();
  }

  /**
   * Calls back when the store closes; at once if it is closed.
   *
   * @returns a function that removes the callback
   */
  whenClosed(callback: () => void): () => void {
    if (this.#isClosed) callback();
    else this.#onClose.add(callback);
    return () => this.#onClose.delete(callback);
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

  prepare(table: Table, change: Change): void {
    if (this.#isClosed) throw new StatusError(503, 'ServiceUnavailable', 'the server is shutting down');
    this.#persistence?.append(table.name, change, this);
  }

  /** A listener may write: every listener still receives the changes in the order of their revisions. */
  committed(table: Table, change: Change): void {
    this.#revision = change.record.revision;
    this.#undelivered.push([table, change]);
    this.#deliverAll();
  }

  #deliverAll(): void {
    if (this.#delivering) return;
    this.#delivering = true;
    let delivered = 0;
    try {
      while (delivered < this.#undelivered.length) {
        const [table, change] = this.#undelivered[delivered]!;
        delivered += 1;
        this.#deliver(table, change);
      }
    } finally {
      this.#undelivered.splice(0, delivered);
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
