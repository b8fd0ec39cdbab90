/** The minimum and maximum of a size or a cost, as unsigned 64-bit integers; larger values saturate. */
export interface Estimate {
  readonly min: bigint;
  readonly max: bigint;
}

export const maxUint64 = 2n ** 64n - 1n;
const twoTo64 = 2 ** 64;

/** The estimate for an unknown value. */
export const unknownEstimate: Estimate = { min: 0n, max: maxUint64 };
export const zeroEstimate: Estimate = { min: 0n, max: 0n };
export const oneEstimate: Estimate = { min: 1n, max: 1n };

export function exactly(value: bigint): Estimate {
  return { min: value, max: value };
}

export function add(a: Estimate, b: Estimate): Estimate {
  return { min: saturate(a.min + b.min), max: saturate(a.max + b.max) };
}

export function multiply(a: Estimate, b: Estimate): Estimate {
  return { min: saturate(a.min * b.min), max: saturate(a.max * b.max) };
}

/** Times a number that is not an integer, rounded up, in floating point like cel-go. */
export function scale(a: Estimate, factor: number): Estimate {
  return { min: scaled(a.min, factor), max: scaled(a.max, factor) };
}

/** What covers both. */
export function union(a: Estimate, b: Estimate): Estimate {
  return { min: a.min < b.min ? a.min : b.min, max: a.max > b.max ? a.max : b.max };
}

function saturate(value: bigint): bigint {
  return value > maxUint64 ? maxUint64 : value;
}

function scaled(value: bigint, factor: number): bigint {
  const product = Math.ceil(Number(value) * factor);
  return product >= twoTo64 ? maxUint64 : BigInt(product);
}
