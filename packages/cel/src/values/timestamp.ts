import type { CelValue } from './cel-value.ts';

const second = 1_000_000_000n;

/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z in seconds since 1970. */
const minSeconds = -62_135_596_800n;
const maxSeconds = 253_402_300_799n;

/** A point in time. */
export class Timestamp {
  readonly typeName = 'google.protobuf.Timestamp';
  /** Since 1970-01-01T00:00:00Z. */
  readonly nanoseconds: bigint;
  /** The offset from UTC in its text; it only matters for `toString`. */
  readonly offsetMinutes: number;

  constructor(nanoseconds: bigint, offsetMinutes = 0) {
    this.nanoseconds = nanoseconds;
    this.offsetMinutes = offsetMinutes;
  }

  /** The whole seconds since 1970, rounded down. */
  get seconds(): bigint {
    return (this.nanoseconds - this.subsecond) / second;
  }

  /** The nanoseconds beyond the whole seconds. */
  get subsecond(): bigint {
    return ((this.nanoseconds % second) + second) % second;
  }

  /** Whether it lies within the years 1 to 9999, the range of CEL. */
  get inRange(): boolean {
    return this.seconds >= minSeconds && this.seconds <= maxSeconds;
  }

  equals(other: CelValue): boolean {
    return other instanceof Timestamp && other.nanoseconds === this.nanoseconds;
  }

  /** In RFC 3339 with as many fractional digits as it needs. */
  toString(): string {
    const offset = this.offsetMinutes;
    const local = new Date(Number(this.seconds) * 1000 + offset * 60_000);
    const year = local.getUTCFullYear();
    const date =
      (year < 0 ? '-' : '') + String(Math.abs(year)).padStart(4, '0') + local.toISOString().slice(-20, -5);
    const fraction = String(this.subsecond).padStart(9, '0').replace(/0+$/, '');
    return date + (fraction === '' ? '' : `.${fraction}`) + formatOffset(offset);
  }
}

function formatOffset(minutes: number): string {
  if (minutes === 0) return 'Z';
  const [hour, minute] = [Math.trunc(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
  return `${minutes < 0 ? '-' : '+'}${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
}
