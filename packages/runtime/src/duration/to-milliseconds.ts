import type { Duration } from 'ots-kubernetes';
import { UsageError } from '../errors/usage-error.ts';

const unitMilliseconds: Record<string, number> = {
  h: 3_600_000,
  m: 60_000,
  s: 1000,
  ms: 1,
  us: 1e-3,
  // Both letters that look like it: U+00B5 and U+03BC.
  µs: 1e-3,
  μs: 1e-3,
  ns: 1e-6,
};
const part = String.raw`(\d+(?:\.\d*)?|\.\d+)(h|ms|m|s|us|µs|μs|ns)`;
const wholePattern = new RegExp(`^\\+?(?:${part})+$`);
const partPattern = new RegExp(part, 'g');

/**
 * Milliseconds of a duration, as in the field of a spec: a number is milliseconds already, a string is Go's notation
 * (`30s`, `1h30m`, `250ms`, `1.5h`; https://pkg.go.dev/time#ParseDuration), but for negative ones.
 * @returns milliseconds, with a fraction for microseconds and nanoseconds.
 * @throws {UsageError} when it is negative, not finite, or not a duration.
 */
export function toMilliseconds(duration: Duration | number): number {
  if (typeof duration === 'number') {
    if (Number.isFinite(duration) && duration >= 0) return duration;
  } else if (duration === '0') {
    return 0;
  } else if (typeof duration === 'string' && wholePattern.test(duration)) {
    let total = 0;
    for (const [, amount, unit] of duration.matchAll(partPattern))
      total += Number(amount) * unitMilliseconds[unit!]!;
    return total;
  }
  throw new UsageError(
    `${typeof duration === 'number' ? duration : JSON.stringify(duration)} is not a duration`,
    "Use milliseconds as a number, or a string such as '30s', '1h30m' or '250ms'.",
  );
}
