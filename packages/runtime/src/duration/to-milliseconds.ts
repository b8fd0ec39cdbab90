import { parseDuration } from 'ots-apimachinery/duration';
import type { Duration } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';

/**
 * Converts a duration, such as a field of a spec, to milliseconds: a number is in milliseconds, a string is in Go's
 * notation (`30s`, `1h30m`, `250ms`, `1.5h`; https://pkg.go.dev/time#ParseDuration), but not negative.
 * @returns milliseconds, with a fraction for microseconds and nanoseconds.
 * @throws {UsageError} when it is negative, not finite, or not a duration.
 */
export function toMilliseconds(duration: Duration | number): number {
  if (typeof duration === 'number') {
    if (Number.isFinite(duration) && duration >= 0) return duration;
  } else if (typeof duration === 'string' && !duration.startsWith('-')) {
    const nanoseconds = parseDuration(duration);
    if (typeof nanoseconds === 'bigint') return Number(nanoseconds) / 1e6;
  }
  throw new UsageError(
    `${typeof duration === 'number' ? duration : JSON.stringify(duration)} is not a duration`,
    "Use milliseconds as a number, or a string such as '30s', '1h30m' or '250ms'.",
  );
}
