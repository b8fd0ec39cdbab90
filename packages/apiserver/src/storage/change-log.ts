import type { StoredRecord } from './stored-record.ts';

/** A write, with what stood there before. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The new state; of a deletion the last one, under the resource version of the deletion. */
  readonly record: StoredRecord;
  readonly previous: StoredRecord | undefined;
}

/** The latest changes of one table: watches resume from it and lists of the past are computed from it. */
export class ChangeLog {
  readonly #capacity: number;
  #changes: Change[] = [];
  #floor = 0;

  /** @param capacity how many changes to keep at least */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** The revision of the newest change that is forgotten: history begins after it. */
  get floor(): number {
    return this.#floor;
  }

  append(change: Change): void {
    this.#changes.push(change);
    // Dropping half at a time costs each change O(1).
    if (this.#changes.length > this.#capacity * 2) this.#forget(this.#changes.length - this.#capacity);
  }

  /** Every change after a revision, oldest first. The revision must not be before {@link floor}. */
  after(revision: number): readonly Change[] {
    let start = this.#changes.length;
    while (start > 0 && (this.#changes[start - 1]?.record.revision ?? 0) > revision) start -= 1;
    return this.#changes.slice(start);
  }

  #forget(count: number): void {
    const forgotten = this.#changes.slice(0, count);
    this.#changes = this.#changes.slice(count);
    this.#floor = forgotten.at(-1)?.record.revision ?? this.#floor;
  }
}
