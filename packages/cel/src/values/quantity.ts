import type { CelValue } from './cel-value.ts';
import { CelEvaluationError, noSuchOverload } from './evaluation-error.ts';
import { maxInt, minInt, order } from './numbers.ts';

/** Numbers that differ by more powers of ten than this are not added: it would take too long. */
const maxShift = 10_000;

/** What Go multiplies with: its powers of ten end at the largest double, not before. */
const maxPower = 308;

/** A Kubernetes quantity like `1.5Gi`: a whole number times a power of ten. */
export class Quantity {
  readonly typeName = 'kubernetes.Quantity';
  readonly value: bigint;
  readonly scale: number;
  /** Whether the API server keeps it in 64 bits; it does not treat others as integers, whatever their value. */
  readonly small: boolean;
  /** Whether it is a sum, which the API server cannot find on the right of `==`. */
  readonly #computed: boolean;

  constructor(value: bigint, scale: number, small: boolean, computed = false) {
    this.value = value;
    this.scale = scale;
    this.small = small;
    this.#computed = computed;
  }

  /** As an integer of 64 bits; undefined when it is none. */
  asInteger(): bigint | undefined {
    if (!this.small || this.scale < 0) return undefined;
    if (this.value === 0n) return 0n;
    if (this.scale > 18) return undefined;
    const value = this.value * 10n ** BigInt(this.scale);
    return fits(value) ? value : undefined;
  }

  asApproximateFloat(): number {
    const base = Number(this.value);
    return this.scale === 0 ? base : base * powerOfTen(this.scale);
  }

  compareTo(other: Quantity): -1 | 0 | 1 {
    const [a, b] = [sign(this.value), sign(other.value)];
    if (a !== b || a === 0) return order(a, b);
    const [x, y] = [magnitude(this), magnitude(other)];
    if (x !== y) return order(x * a, y * a);
    const shift = Math.min(this.scale, other.scale);
    return order(shifted(this, shift), shifted(other, shift));
  }

  add(other: Quantity): Quantity | CelEvaluationError {
    if (other.value === 0n) return new Quantity(this.value, this.scale, this.small && other.small, true);
    if (this.value === 0n) return new Quantity(other.value, other.scale, this.small && other.small, true);
    if (Math.abs(this.scale - other.scale) > maxShift)
      return new CelEvaluationError('quantities are too far apart');
    const scale = Math.min(this.scale, other.scale);
    const [a, b] = [shifted(this, scale), shifted(other, scale)];
    const small = this.small && other.small && [a, b, a + b].every(fits);
    return new Quantity(a + b, scale, small, true);
  }

  negate(): Quantity {
    return new Quantity(-this.value, this.scale, this.small);
  }

  equals(other: CelValue): boolean | CelEvaluationError {
    if (!(other instanceof Quantity) || other.#computed) return noSuchOverload();
    return this.compareTo(other) === 0;
  }
}

function fits(value: bigint): boolean {
  return value >= minInt && value <= maxInt;
}

function sign(value: bigint): -1 | 0 | 1 {
  return order(value, 0n);
}

/** The power of ten of the first digit. */
function magnitude({ value, scale }: Quantity): number {
  return String(value < 0n ? -value : value).length + scale;
}

function shifted({ value, scale }: Quantity, to: number): bigint {
  return value * 10n ** BigInt(scale - to);
}

function powerOfTen(exponent: number): number {
  if (exponent > maxPower) return Infinity;
  return exponent < -323 ? 0 : Number(`1e${exponent}`);
}
