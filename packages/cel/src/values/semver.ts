import type { CelValue } from './cel-value.ts';
import { noSuchOverload } from './evaluation-error.ts';
import type { CelEvaluationError } from './evaluation-error.ts';
import { order } from './numbers.ts';

/** A semantic version. Comparisons ignore its build metadata. */
export class Semver {
  readonly typeName = 'kubernetes.Semver';
  readonly numbers: readonly [major: bigint, minor: bigint, patch: bigint];
  /** Numbers are bigint. */
  readonly prerelease: readonly (bigint | string)[];

  constructor(numbers: readonly [bigint, bigint, bigint], prerelease: readonly (bigint | string)[]) {
    this.numbers = numbers;
    this.prerelease = prerelease;
  }

  compareTo(other: Semver): -1 | 0 | 1 {
    for (let i = 0; i < this.numbers.length; i++) {
      const result = order(this.numbers[i]!, other.numbers[i]!);
      if (result !== 0) return result;
    }
    return comparePrereleases(this.prerelease, other.prerelease);
  }

  equals(other: CelValue): boolean | CelEvaluationError {
    return other instanceof Semver ? this.compareTo(other) === 0 : noSuchOverload();
  }
}

/** A version without a prerelease sorts after those with one. */
function comparePrereleases(a: Semver['prerelease'], b: Semver['prerelease']): -1 | 0 | 1 {
  if (a.length === 0 || b.length === 0) return order(b.length, a.length);
  for (let i = 0; i < a.length && i < b.length; i++) {
    const result = compareParts(a[i]!, b[i]!);
    if (result !== 0) return result;
  }
  return order(a.length, b.length);
}

function compareParts(a: bigint | string, b: bigint | string): -1 | 0 | 1 {
  if (typeof a === 'bigint' && typeof b === 'bigint') return order(a, b);
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === 'bigint' ? -1 : 1;
}
