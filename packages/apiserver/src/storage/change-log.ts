import { jsonTextOf } from '../objects/json-text-of.ts';
import type { StoredRecord } from './stored-record.ts';

/** A write, with what stood there before. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The new state; of a deletion the last one, under the resource version of the deletion. */
  readonly record: StoredRecord;
  readonly previous: StoredRecord | undefined;
}

/** How much a table remembers. */
export interface HistoryLimits {
  /** How many changes, at least. */
  readonly changes: number;
  /** Characters of JSON that the states in the history may have, at most: they have the last word. */
  readonly characters: number;
}

/** The latest changes of one table: watches read it and lists of the past are computed from it. */
export class ChangeLog {
  readonly #limits: HistoryLimits;
  #changes: Change[] = [];
  #characters = 0;
  #floor = 0;

  constructor(limits: HistoryLimits) {
    this.#limits = limits;
  }

  /** The revision of the newest change that is forgotten: history begins after it. */
  get floor(): number {
    return this.#floor;
  }

  append(change: Change): void {
    const { changes, characters } = this.#limits;
    this.#changes.push(change);
    this.#characters += sizeOf(change);
    // Dropping many at a time costs each change O(1).
    if (this.#changes.length > changes * 2) this.#forget(this.#changes.length - changes);
    if (this.#characters > characters) this.#forget(this.#countBeyond(characters / 2));
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

  /** How many of the oldest changes have to go, so that the others have at most so many characters. */
  #countBeyond(characters: number): number {
    let left = this.#characters;
    let count = 0;
    for (const change of this.#changes) {
      if (left <= characters) break;
      left -= sizeOf(change);
      count += 1;
    }
    return count;
  }

  #forget(count: number): void {
    this.#floor = this.#changes[count - 1]?.record.revision ?? this.#floor;
    for (const change of this.#changes.slice(0, count)) this.#characters -= sizeOf(change);
    this.#changes = this.#changes.slice(count);
  }
}

function sizeOf({ record }: Change): number {
  return jsonTextOf(record.object).length;
}
