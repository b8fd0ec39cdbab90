import type { ApiObject } from '../json/api-object.ts';
import { Subscribers } from './subscribers.ts';
import type { Change, ChangeLog } from './change-log.ts';
import { type StorageForm, checkSize } from './check-size.ts';
import { SortedKeys } from './sorted-keys.ts';
import type { StoredRecord } from './stored-record.ts';

/** Assigns revisions and receives every change. */
export interface Journal {
  /** The newest revision. */
  readonly revision: number;
  /**
   * Receives a change before it happens.
   *
   * @throws {StatusError} 503 when nothing may change any more; 500 when the change cannot be stored. Then it must not happen.
   */
  prepare(table: Table, change: Change): void;
  /** Receives a change that has happened. Its revision becomes the newest. */
  committed(table: Table, change: Change): void;
}

/** All objects of one resource and their recent history. All versions of a resource share one table. */
export class Table {
  /** Unique in the store, and the same in every process. */
  readonly name: string;
  readonly log: ChangeLog;
  /** Receives every change after it is stored. */
  readonly subscribers = new Subscribers();
  readonly #journal: Journal;
  readonly #form: StorageForm;
  readonly #records = new Map<string, StoredRecord>();
  readonly #keys = new SortedKeys();

  /** @param log an empty history */
  constructor(journal: Journal, { name, form, log }: { name: string; form: StorageForm; log: ChangeLog }) {
    this.name = name;
    this.#journal = journal;
    this.#form = form;
    this.log = log;
  }

  get size(): number {
    return this.#records.size;
  }

  get(key: string): StoredRecord | undefined {
    return this.#records.get(key);
  }

  /** What {@link get} returned at the given revision, or where the history begins if that is later. */
  getAt(revision: number, key: string): StoredRecord | undefined {
    const change = this.log
      .after(Math.max(revision, this.log.floor))
      .find(({ record }) => record.key === key);
    return change ? change.previous : this.#records.get(key);
  }

  /** The records whose key starts with a prefix (`namespace/`, or empty for all), sorted by key. */
  list(prefix = ''): StoredRecord[] {
    const records: StoredRecord[] = [];
    for (const key of this.#keys.startingWith(prefix)) {
      const record = this.#records.get(key);
      if (record) records.push(record);
    }
    return records;
  }

  /** What {@link list} returned at the given revision, starting at a key: the current state with later changes undone. */
  *listAt(revision: number, prefix = '', from = ''): Generator<StoredRecord> {
    const before = this.#changedSince(revision, prefix, from);
    const gone = [...before.keys()].filter((key) => before.get(key) && !this.#records.has(key)).toSorted();
    let next = 0;
    for (const key of this.#keys.startingWith(prefix, from)) {
      for (; next < gone.length && (gone[next] ?? '') < key; next += 1) yield* recordOf(before, gone[next]);
      yield* recordOf(before.has(key) ? before : this.#records, key);
    }
    for (; next < gone.length; next += 1) yield* recordOf(before, gone[next]);
  }

  /** The number of records that {@link listAt} yields. */
  countAt(revision: number, prefix = '', from = ''): number {
    let count = this.#keys.count(prefix, from);
    for (const [key, record] of this.#changedSince(revision, prefix, from)) {
      count += Number(record !== undefined) - Number(this.#records.has(key));
    }
    return count;
  }

  /**
   * Stores a new or changed object under the next revision, which becomes its resource version.
   *
   * @throws {StatusError} 500 when the object is too large or cannot be stored; 503 when the store is closed
   */
  put(key: string, object: ApiObject): StoredRecord {
    const previous = this.#records.get(key);
    const record = this.#newRecord(key, object);
    checkSize(record.object, this.#form);
    this.#commit({ type: previous ? 'MODIFIED' : 'ADDED', record, previous });
    return record;
  }

  /**
   * Removes an object. Returns its last state, with the revision of the deletion.
   *
   * @throws {StatusError} 500 when the deletion cannot be stored; 503 when the store is closed
   */
  delete(previous: StoredRecord): StoredRecord {
    const record = this.#newRecord(previous.key, previous.object);
    this.#commit({ type: 'DELETED', record, previous });
    return record;
  }

  /** Fills an empty table. No subscriber is notified. */
  load(records: Iterable<StoredRecord>): void {
    for (const record of records) {
      this.#records.set(record.key, record);
      this.#keys.add(record.key);
    }
  }

  /** For each key written after a revision, the record it had at that revision. */
  #changedSince(revision: number, prefix: string, from: string): Map<string, StoredRecord | undefined> {
    const before = new Map<string, StoredRecord | undefined>();
    for (const { record, previous } of this.log.after(revision)) {
      const { key } = record;
      if (key >= from && key.startsWith(prefix) && !before.has(key)) before.set(key, previous);
    }
    return before;
  }

  #newRecord(key: string, object: ApiObject): StoredRecord {
    const revision = this.#journal.revision + 1;
    const { apiVersion, kind, metadata, ...fields } = object;
    // Always in this order, whatever the order in the body: lists rely on it.
    return {
      key,
      revision,
      object: { apiVersion, kind, metadata: { ...metadata, resourceVersion: `${revision}` }, ...fields },
    };
  }

  #commit(change: Change): void {
    this.#journal.prepare(this, change);
    const { type, record, previous } = change;
    if (type === 'DELETED') {
      this.#records.delete(record.key);
      this.#keys.delete(record.key);
    } else {
      this.#records.set(record.key, record);
      if (!previous) this.#keys.add(record.key);
    }
    this.log.append(change);
    this.#journal.committed(this, change);
  }
}

/** The record of a key, if there is one. */
function* recordOf(
  records: ReadonlyMap<string, StoredRecord | undefined>,
  key: string | undefined,
): Generator<StoredRecord> {
  const record = key === undefined ? undefined : records.get(key);
  if (record) yield record;
}
