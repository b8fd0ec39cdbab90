import type { CelResult, CelValue } from './cel-value.ts';
import { equals, equalsNonNull } from './equals.ts';
import { isError } from './evaluation-error.ts';
import type { CelEvaluationError } from './evaluation-error.ts';

/** A list. Its items are created on demand, so an item can be an error that remains unseen. */
export abstract class CelList {
  readonly typeName = 'list';
  abstract readonly size: number;

  /** The sum of an empty list. */
  get zero(): CelValue {
    return 0n;
  }

  /** The item at a valid index. */
  abstract at(index: number): CelResult;

  /** `list + other`. */
  concat(other: CelList): CelList {
    if (this.size === 0) return other;
    return other.size === 0 ? this : new ConcatenatedList(this, other);
  }

  /** `value in list`. */
  contains(value: CelValue): CelResult {
    for (const item of this) {
      if (equalsNonNull(value, item) === true) return true;
    }
    return false;
  }

  equals(other: CelValue): boolean | CelEvaluationError {
    if (!(other instanceof CelList) || this.size !== other.size) return false;
    for (let i = 0; i < this.size; i++) {
      // Only a difference counts: two items that cannot be compared do not.
      if (equals(this.at(i), other.at(i)) === false) return false;
    }
    return true;
  }

  *[Symbol.iterator](): Generator<CelResult> {
    for (let i = 0; i < this.size; i++) yield this.at(i);
  }
}

/** A list of existing items. */
export class ArrayList extends CelList {
  protected readonly items: CelResult[];

  constructor(items: CelResult[]) {
    super();
    this.items = items;
  }

  get size(): number {
    return this.items.length;
  }

  at(index: number): CelResult {
    return this.items[index]!;
  }
}

/** Two concatenated lists. They are not copied: summing long lists in a loop would take quadratic time. */
class ConcatenatedList extends CelList {
  readonly size: number;
  readonly #first: CelList;
  readonly #second: CelList;

  constructor(first: CelList, second: CelList) {
    super();
    this.#first = first;
    this.#second = second;
    this.size = first.size + second.size;
  }

  at(index: number): CelResult {
    let [list, i]: [CelList, number] = [this, index];
    while (list instanceof ConcatenatedList) {
      const { size } = list.#first;
      [list, i] = i < size ? [list.#first, i] : [list.#second, i - size];
    }
    return list.at(i);
  }

  override contains(value: CelValue): CelResult {
    const first = this.#first.contains(value);
    if (first === true) return true;
    const second = this.#second.contains(value);
    return second === true || !isError(first) ? second : first;
  }

  override equals(other: CelValue): boolean | CelEvaluationError {
    if (!(other instanceof CelList) || this.size !== other.size) return false;
    let error: CelEvaluationError | undefined;
    for (let i = 0; i < this.size; i++) {
      const equal = equals(this.at(i), other.at(i));
      if (equal === false) return false;
      if (isError(equal)) error ??= equal;
    }
    return error ?? true;
  }
}

/** The list that a comprehension builds: nothing else refers to the list, so `accumulator + [item]` may append in place. */
export class GrowingList extends ArrayList {
  constructor() {
    super([]);
  }

  override concat(other: CelList): CelList {
    for (const item of other) this.items.push(item);
    return this;
  }

  /** The finished list. */
  finish(): CelList {
    return new ArrayList(this.items);
  }
}
