import { jsonTextOf } from '../json/json-text-of.ts';
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
  /** For each change, the characters that were ever written up to it. */
  #ends: number[] = [];
  /** The characters of all that is forgotten. */
  #forgotten = 0;
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
    this.#ends.push(this.#written + sizeOf(change));
    // Dropping many at a time costs each change O(1).
    if (this.#changes.length > changes * 2) this.#forget(this.#changes.length - changes);
    if (this.#written - this.#forgotten > characters) this.#forget(this.#countBeyond(characters / 2));
  }

  /**
   * Whether a reader that has seen all up to a revision has so much before it that it may lose the history, by number or by
   * size: half of what is remembered in any case. The revision must not be before {@link floor}.
   */
  isFarBehind(revision: number): boolean {
    const { changes, characters } = this.#limits;
    const index = this.#indexAfter(revision);
    if (this.#changes.length - index > changes / 2) return true;
    return this.#written - (this.#ends[index - 1] ?? this.#forgotten) > characters / 4;
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
    const most = this.#written - characters;
    return this.#ends.findIndex((end) => end >= most) + 1;
  }

  /** The characters of all that was ever written. */
  get #written(): number {
    return this.#ends.at(-1) ?? this.#forgotten;
  }

  #forget(count: number): void {
    this.#floor = this.#changes[count - 1]?.record.revision ?? this.#floor;
    this.#forgotten = this.#ends[count - 1] ?? this.#forgotten;
    this.#changes = this.#changes.slice(count);
    this.#ends = this.#ends.slice(count);
  }
}

function sizeOf({ record }: Change): number {
  return jsonTextOf(record.object).length;
}
