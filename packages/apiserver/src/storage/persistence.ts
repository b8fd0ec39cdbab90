import type { Change } from './change-log.ts';
import type { Snapshot } from './snapshot.ts';

/** Keeps the changes of a store over the end of its process. */
export interface Persistence {
  /**
   * Stores a change, which must not happen when this fails.
   *
   * @param table the name of the table
   * @param current the state before the change
   * @throws {StatusError} when the change cannot be stored
   */
  append(table: string, change: Change, current: { snapshot(): Snapshot }): void;
}
