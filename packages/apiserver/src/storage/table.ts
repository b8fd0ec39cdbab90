import type { ApiObject } from '../objects/api-object.ts';
import { type Change, ChangeLog } from './change-log.ts';
import { SortedKeys } from './sorted-keys.ts';
import type { StoredRecord } from './stored-record.ts';

/** Gives out revisions and hears of every change. */
export interface Journal {
  nextRevision(): number;
  committed(table: Table, change: Change): void;
}

/** All objects of one resource, and the recent history of them. Every version of a resource shares one table. */
export class Table {
  readonly log: ChangeLog;
  readonly #journal: Journal;
  readonly #records = new Map<string, StoredRecord>();
  readonly #keys = new SortedKeys();

  constructor(journal: Journal, historyCapacity: number) {
    this.#journal = journal;
    this.log = new ChangeLog(historyCapacity);
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

  /** What {@link list} answered when the given revision was the newest: the present, with later changes undone. */
  listAt(revision: number, prefix = ''): StoredRecord[] {
    const changes = this.log.after(revision);
    if (changes.length === 0) return this.list(prefix);
    const records = new Map(this.list(prefix).map((record) => [record.key, record]));
    for (const { record, previous } of changes.toReversed()) {
      if (!record.key.startsWith(prefix)) continue;
      if (previous) records.set(previous.key, previous);
      else records.delete(record.key);
    }
    return [...records.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  }

  /** Stores an object, new or not, under the next revision, which becomes its resource version. */
  put(key: string, object: ApiObject): StoredRecord {
    const previous = this.#records.get(key);
    const record = this.#newRecord(key, object);
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

  #newRecord(key: string, object: ApiObject): StoredRecord {
    const revision = this.#journal.nextRevision();
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
