import { jsonTextOf } from '../json/stringify-json.ts';
import type { StoredRecord } from './stored-record.ts';

/** A write, with the state before it. */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** The new state. For a deletion: the last state, with the resource version of the deletion. */
  readonly record: StoredRecord;
  readonly previous: StoredRecord | undefined;
}

/** How much history a table keeps. */
export interface HistoryLimits {
  /** The number of changes to keep at least. */
  readonly changes: number;
  /** The number of JSON characters to keep at most. This limit wins over `changes`. */
  readonly characters: number;
}

/** The latest changes of one table. Watches read it, and lists of a past revision are computed from it. */
export class ChangeLog {
  /** The revision after which history began. */
  readonly beginning: number;
  readonly #limits: HistoryLimits;
  #changes: Change[] = [];
  /** For each change, the total number of characters written up to it. */
  #ends: number[] = [];
  /** The total number of characters of all dropped changes. */
  #forgotten = 0;
  #floor: number;

  /** @param floor the revision after which history begins */
  constructor(limits: HistoryLimits, floor: number) {
    this.#limits = limits;
    this.beginning = floor;
    this.#floor = floor;
  }

  /** The revision of the newest dropped change: history begins after it. */
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

  /** Forgets every change up to a revision, whether there are any or not. */
  compact(revision: number): void {
    this.#forget(this.#indexAfter(revision));
    this.#floor = Math.max(this.#floor, revision);
  }

  /**
   * Whether a reader that has seen everything up to a revision is at risk of losing history: more than half of the
   * kept history, by number or by size, lies ahead of it. The revision must not be before {@link floor}.
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

  /** How many of the oldest changes to drop so the rest has at most this many characters. */
  #countBeyond(characters: number): number {
    const excess = this.#written - characters;
    return this.#ends.findIndex((end) => end >= excess) + 1;
  }

  /** The total number of characters ever written. */
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
