import type { CelResult, CelValue } from './cel-value.ts';
import { equalsNonNull } from './equals.ts';
import { CelEvaluationError } from './evaluation-error.ts';

/** A value that may be missing: `optional.of(x)` or `optional.none()`. */
export class Optional {
  static readonly none = new Optional(undefined);

  readonly typeName = 'optional_type';
  readonly #value: CelValue | undefined;

  private constructor(value: CelValue | undefined) {
    this.#value = value;
  }

  static of(value: CelValue): Optional {
    return new Optional(value);
  }

  get hasValue(): boolean {
    return this.#value !== undefined;
  }

  get value(): CelResult {
    return this.#value === undefined ? new CelEvaluationError('optional.none() dereference') : this.#value;
  }

  equals(other: CelValue): boolean | CelEvaluationError {
    if (!(other instanceof Optional) || this.hasValue !== other.hasValue) return false;
    return !this.hasValue || equalsNonNull(this.value, other.value);
  }
}
