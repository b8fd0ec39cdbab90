import type { StoredRecord } from './stored-record.ts';

/** All objects of a store at one revision. Records do not change, so a snapshot costs one reference per object. */
export interface Snapshot {
  readonly revision: number;
  /** The records of each table that is not empty, by the name of the table. */
  readonly tables: ReadonlyMap<string, readonly StoredRecord[]>;
  /** When objects expire, by key, by the clock of the server that took the snapshot. Default: their lifetime from when they are loaded. */
  readonly deadlines?: ReadonlyMap<string, number>;
}
