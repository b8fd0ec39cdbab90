import type { CelValue } from './cel-value.ts';
import { equalNumbers, isNumeric } from './numbers.ts';

/** An unsigned 64-bit integer. */
export class Uint {
  readonly typeName = 'uint';
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }

  equals(other: CelValue): boolean {
    return isNumeric(other) && equalNumbers(this, other);
  }
}
