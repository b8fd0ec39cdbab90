import type { StoredRecord } from './stored-record.ts';

/** A write, with what stood there before. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The new state; of a deletion the last one, under the resource version of the deletion. */
  readonly record: StoredRecord;
  readonly previous: StoredRecord | undefined;
}

/** The latest changes of one table: watches read it and lists of the past are computed from it. */
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

  /** The oldest change after a revision. The revision must not be before {@link floor}. */
  firstAfter(revision: number): Change | undefined {
    return this.#changes[this.#indexAfter(revision)];
  }

  /** Every change after a revision, oldest first. The revision must not be before {@link floor}. */
  after(revision: number): readonly Change[] {
    return this.#changes.slice(this.#indexAfter(revision));
  }

  #indexAfter(revision: number): number {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#changes[middle]?.record.revision ?? 0) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #forget(count: number): void {
    this.#floor = this.#changes[count - 1]?.record.revision ?? this.#floor;
    this.#changes = this.#changes.slice(count);
  }
}
