import type { Snapshot } from '../snapshot.ts';
import type { StoredRecord } from '../stored-record.ts';
import type { Entry } from './entry.ts';

/** A table of custom resources has the name of its definition, and ends with it. */
const definitions = 'apiextensions.k8s.io/customresourcedefinitions';

/** All objects, as the files of a data directory describe them. */
export class RecoveredState {
  readonly #tables = new Map<string, Map<string, StoredRecord>>();
  #revision: number;

  /** @param revision that of the checkpoint */
  constructor(revision: number) {
    this.#revision = revision;
  }

  get revision(): number {
    return this.#revision;
  }

  /** Adds an object of the checkpoint, or the next change. */
  add({ table, key, revision, object }: Entry): void {
    this.#revision = Math.max(this.#revision, revision);
    const records = this.#tables.get(table) ?? new Map<string, StoredRecord>();
    this.#tables.set(table, records);
    if (object) records.set(key, { key, revision, object });
    else {
      records.delete(key);
      if (table === definitions) this.#tables.delete(key);
    }
  }

  snapshot(): Snapshot {
    const tables = new Map<string, readonly StoredRecord[]>();
    for (const [name, records] of this.#tables) {
      if (records.size > 0) tables.set(name, [...records.values()].toSorted(byKey));
    }
    return { revision: this.#revision, tables };
  }
}

function byKey({ key: one }: StoredRecord, { key: other }: StoredRecord): number {
  return one < other ? -1 : 1;
}
