import { formatPlainDouble } from 'ots-apimachinery/go/format-double';
import type { CelValue } from './cel-value.ts';

const second = 1_000_000_000n;

/** A duration in nanoseconds, within 64 bits. */
export class Duration {
  readonly typeName = 'google.protobuf.Duration';
  readonly nanoseconds: bigint;

  constructor(nanoseconds: bigint) {
    this.nanoseconds = nanoseconds;
  }

  /** The duration in units; computed with doubles, as in Go. */
  in(unit: bigint): number {
    return Number(this.nanoseconds / unit) + Number(this.nanoseconds % unit) / Number(unit);
  }

  equals(other: CelValue): boolean {
    return other instanceof Duration && other.nanoseconds === this.nanoseconds;
  }

  /** In seconds, like `1.5s`. */
  toString(): string {
    return `${formatPlainDouble(this.in(second))}s`;
  }
}
