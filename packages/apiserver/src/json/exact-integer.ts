/** A 64-bit integer as Go reads it: a number, or a bigint where a number would round it. */
export type ExactInteger = number | bigint;

/** Returns a 64-bit integer as a number if that is exact, else as a bigint. */
export function exactInteger(value: bigint): ExactInteger {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Parses the literal of a number.
 *
 * @returns undefined when it has a fraction or an exponent, or does not fit in 64 bits
 */
export function readInteger(literal: string): ExactInteger | undefined {
  if (!/^-?\d{1,19}$/.test(literal)) return undefined;
  const number = Number(literal);
  if (Number.isSafeInteger(number)) return number;
  const value = BigInt(literal);
  return isInt64(value) ? value : undefined;
}

/** Whether an integer fits in 64 bits. */
export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Whether Go reads a JSON value as an integer. A number beyond the safe range that is not a bigint is a float there. */
export function isInteger(value: unknown): value is ExactInteger {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** Whether a JSON value is an integer that fits in 32 bits. */
export function isInt32(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && Math.abs(value + 0.5) < 2 ** 31;
}
