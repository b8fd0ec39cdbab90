import { type ExactInteger, exactInteger } from '../json/exact-integer.ts';

/**
 * The `metadata.generation` of a changed object. In kinds whose generation the server does not count, clients can
 * set it to any 64-bit integer, and it overflows as in Go.
 */
export function nextGeneration(generation: ExactInteger): number {
  if (typeof generation === 'number') return generation + 1;
  // The types of built-in kinds only have numbers.
  return exactInteger(BigInt.asIntN(64, generation + 1n)) as number;
}
