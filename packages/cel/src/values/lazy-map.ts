import type { CelResult, CelValue } from './cel-value.ts';
import { CelMap } from './map.ts';

/** Values that are computed when an expression first reads them, and then kept: the `variables` of a policy. */
export class LazyMap extends CelMap {
  readonly #compute: ReadonlyMap<string, () => CelResult>;
  readonly #known = new Map<string, CelResult>();

  /** @param compute computes the value of each key */
  constructor(compute: ReadonlyMap<string, () => CelResult>) {
    super();
    this.#compute = compute;
  }

  get size(): number {
    return this.#compute.size;
  }

  find(key: CelValue): CelResult | undefined {
    const compute = typeof key === 'string' ? this.#compute.get(key) : undefined;
    if (typeof key !== 'string' || !compute) return undefined;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const value = compute();
    this.#known.set(key, value);
    return value;
  }

  keys(): Iterable<string> {
    return this.#compute.keys();
  }

  override equals(other: CelValue): boolean {
    return other === this;
  }
}
