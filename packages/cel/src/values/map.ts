import type { CelResult, CelValue } from './cel-value.ts';
import { equals } from './equals.ts';
import { CelEvaluationError, isError } from './evaluation-error.ts';
import { isNumeric, maxInt, maxUint, minInt } from './numbers.ts';
import { showValue } from './show-value.ts';
import { Uint } from './uint.ts';

/** A map or an object. */
export abstract class CelMap {
  readonly typeName = 'map';
  abstract readonly size: number;

  /** The value of a key; undefined when there is none; an error when keys have another type. */
  abstract find(key: CelValue): CelResult | undefined;

  abstract keys(): Iterable<CelValue>;

  /** `key in map`. */
  contains(key: CelValue): CelResult {
    return this.find(key) !== undefined;
  }

  equals(other: CelValue): boolean | CelEvaluationError {
    if (!(other instanceof CelMap) || this.size !== other.size) return false;
    for (const key of this.keys()) {
      const theirs = other.find(key);
      if (theirs === undefined || equals(this.find(key)!, theirs) === false) return false;
    }
    return true;
  }
}

/** A map from an expression. Numeric keys match if they are equal, whatever their types. */
export class EntriesMap extends CelMap {
  /** Int keys are bigint here; uint keys have a separate map, because they would be the same key otherwise. */
  readonly #entries = new Map<CelValue, readonly [CelValue, CelResult]>();
  readonly #uints = new Map<bigint, readonly [CelValue, CelResult]>();

  constructor(entries: Iterable<readonly [CelValue, CelResult]> = []) {
    super();
    for (const entry of entries) this.#set(...entry);
  }

  get size(): number {
    return this.#entries.size + this.#uints.size;
  }

  find(key: CelValue): CelResult | undefined {
    const exact = key instanceof Uint ? this.#uints.get(key.value) : this.#entries.get(key);
    const entry = exact ?? (isNumeric(key) ? this.#findNumber(key) : undefined);
    return entry?.[1];
  }

  keys(): CelValue[] {
    return [...this.#entries.values(), ...this.#uints.values()].map(([key]) => key);
  }

  /** Adds an entry in place, for comprehensions that build a map. */
  insert(key: CelValue, value: CelResult): CelResult {
    if (this.find(key) !== undefined)
      return new CelEvaluationError(`insert failed: key ${showValue(key)} already exists`);
    this.#set(key, value);
    return this;
  }

  #set(key: CelValue, value: CelResult): void {
    if (key instanceof Uint) this.#uints.set(key.value, [key, value]);
    else this.#entries.set(key, [key, value]);
  }

  #findNumber(key: bigint | number | Uint): readonly [CelValue, CelResult] | undefined {
    if (typeof key === 'number' && !Number.isInteger(key)) return undefined;
    const whole = typeof key === 'object' ? key.value : BigInt(key);
    const asInt = whole >= minInt && whole <= maxInt ? this.#entries.get(whole) : undefined;
    return asInt ?? (whole >= 0n && whole <= maxUint ? this.#uints.get(whole) : undefined);
  }
}

/** The entries of a map; skips keys without a value. */
export function* entriesOf(map: CelMap): Generator<[CelValue, CelResult]> {
  for (const key of map.keys()) {
    const value = map.find(key);
    if (value !== undefined && !isError(key)) yield [key, value];
  }
}
