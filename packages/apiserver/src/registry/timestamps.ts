import type { ExactInteger } from '../json/exact-integer.ts';

/** Whole seconds since 1970. */
export function secondsOf(time: Date): number {
  return Math.trunc(time.getTime() / 1000);
}

/** The length of a period in seconds as Go computes it: in nanoseconds, which overflow beyond 64 bits. */
export function periodOf(seconds: ExactInteger): number {
  return Number(BigInt.asIntN(64, BigInt(seconds) * 1_000_000_000n)) / 1e9;
}

/** A time as a `Time`: RFC 3339, truncated to whole seconds. */
export function timestampOf(seconds: number): string {
  return new Date(Math.floor(seconds) * 1000).toISOString().replace('.000Z', 'Z');
}
