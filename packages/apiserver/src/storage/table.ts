import type { ApiObject } from '../json/api-object.ts';
import { Audience } from './audience.ts';
import { type Change, ChangeLog, type HistoryLimits } from './change-log.ts';
import { type StorageForm, checkSize } from './check-size.ts';
import { SortedKeys } from './sorted-keys.ts';
import type { StoredRecord } from './stored-record.ts';

/** Counts revisions and hears of every change. */
export interface Journal {
  /** The newest revision. */
  readonly revision: number;
  /** The change has the next revision, which is the newest from now on. */
  committed(table: Table, change: Change): void;
}

/** All objects of one resource, and the recent history of them. Every version of a resource shares one table. */
export class Table {
  readonly log: ChangeLog;
  /** Hears of every change after it is stored. */
  readonly audience = new Audience();
  readonly #journal: Journal;
  readonly #form: StorageForm;
  readonly #records = new Map<string, StoredRecord>();
  readonly #keys = new SortedKeys();

  constructor(journal: Journal, history: HistoryLimits, form: StorageForm) {
    this.#journal = journal;
    this.#form = form;
    this.log = new ChangeLog(history);
  }

  get size(): number {
    return this.#records.size;
  }

  get(key: string): StoredRecord | undefined {
    return this.#records.get(key);
  }

  /** The records whose key starts with a prefix (`namespace/`, or all), in the order of keys. */
  list(prefix = ''): StoredRecord[] {
    const records: StoredRecord[] = [];
    for (const key of this.#keys.startingWith(prefix)) {
      const record = this.#records.get(key);
      if (record) records.push(record);
    }
    return records;
  }

  /** What {@link list} answered when the given revision was the newest, from a key on: the present, with later changes undone. */
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

  /** How many records {@link listAt} gives. */
  countAt(revision: number, prefix = '', from = ''): number {
    let count = this.#keys.count(prefix, from);
    for (const [key, record] of this.#changedSince(revision, prefix, from)) {
      count += Number(record !== undefined) - Number(this.#records.has(key));
    }
    return count;
  }

  /**
   * Stores an object, new or not, under the next revision, which becomes its resource version.
   *
   * @throws {StatusError} 500 when the object is too large
   */
  put(key: string, object: ApiObject): StoredRecord {
    const previous = this.#records.get(key);
    const record = this.#newRecord(key, object);
    checkSize(record.object, this.#form);
    this.#records.set(key, record);
    if (!previous) this.#keys.add(key);
    this.#commit({ type: previous ? 'MODIFIED' : 'ADDED', record, previous });
    return record;
  }

  /** Removes an object. The answer is its last state, under the revision of the deletion. */
  delete(previous: StoredRecord): StoredRecord {
    this.#records.delete(previous.key);
    this.#keys.delete(previous.key);
    const record = this.#newRecord(previous.key, previous.object);
    this.#commit({ type: 'DELETED', record, previous });
    return record;
  }

  /** What each key that was written after a revision held at that revision. */
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
    // In this order, whatever the order of the body was: lists rely on it.
    return {
      key,
      revision,
      object: { apiVersion, kind, metadata: { ...metadata, resourceVersion: `${revision}` }, ...fields },
    };
  }

  #commit(change: Change): void {
    this.log.append(change);
    this.#journal.committed(this, change);
  }
}

/** The record of a key, if it has one. */
function* recordOf(
  records: ReadonlyMap<string, StoredRecord | undefined>,
  key: string | undefined,
): Generator<StoredRecord> {
  const record = key === undefined ? undefined : records.get(key);
  if (record) yield record;
}
