/** An integer of 64 bits, as Go reads one: a number, or a bigint where a number would round it. */
export type ExactInteger = number | bigint;

/** Gives an integer of 64 bits its form: a bigint only where that is needed. */
export function exactInteger(value: bigint): ExactInteger {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/**
 * Reads the literal of a number.
 *
 * @returns undefined when it has a fraction or an exponent, or 64 bits cannot hold it
 */
export function readInteger(literal: string): ExactInteger | undefined {
  if (!/^-?\d{1,19}$/.test(literal)) return undefined;
  const number = Number(literal);
  if (Number.isSafeInteger(number)) return number;
  const value = BigInt(literal);
  return isInt64(value) ? value : undefined;
}

/** Whether 64 bits hold an integer. */
export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}

/** Whether Go reads a JSON value as an integer: what is larger than safe and no bigint is a float there. */
export function isInteger(value: unknown): value is ExactInteger {
  return typeof value === 'bigint' || Number.isSafeInteger(value);
}

/** Whether 32 bits hold a JSON value. */
export function isInt32(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && Math.abs(value + 0.5) < 2 ** 31;
}
