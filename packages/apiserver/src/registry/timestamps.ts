import type { ExactInteger } from '../json/exact-integer.ts';

/** Whole seconds since 1970. */
export function secondsOf(time: Date): number {
  return Math.trunc(time.getTime() / 1000);
}

/** How many seconds a period comes to in Go, which counts them in billionths that run over beyond 64 bits. */
export function periodOf(seconds: ExactInteger): number {
  return Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n)) / 1e9;
}

/** A moment as a `Time`: RFC 3339 in whole seconds, of which the last one has begun. */
export function timestampOf(seconds: number): string {
  return new Date(Math.floor(seconds) * 1000).toISOString().replace('.000Z', 'Z');
}
