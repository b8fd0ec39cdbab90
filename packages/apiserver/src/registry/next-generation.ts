import { type ExactInteger, exactInteger } from '../json/exact-integer.ts';

/**
 * The `metadata.generation` of an object that was changed. That of a kind that counts no changes may be what its client wrote, and so
 * have all of 64 bits, which run over as in Go.
 */
export function nextGeneration(generation: ExactInteger): number {
  if (typeof generation === 'number') return generation + 1;
  // The types of built-in kinds know numbers only.
  return exactInteger(BigInt.asIntN(64, generation + 1n)) as number;
}
