import { Duration } from './duration.ts';

const units: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  µs: 1000n,
  μs: 1000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

/** 292 years; one nanosecond more for negative ones. */
const limit = 2n ** 63n;

/** Reads a duration of Go like `1h30m` or `-1.5s`; undefined when it is none or too long. */
export function parseDuration(text: string): Duration | undefined {
  const [, sign = '', rest = ''] = /^([-+]?)(.*)$/s.exec(text)!;
  if (rest === '0') return new Duration(0n);
  if (rest === '') return undefined;
  let total = 0n;
  const part = /(\d*)(?:\.(\d*))?([^\d.]+)/suy;
  while (part.lastIndex < rest.length) {
    const [, whole = '', fraction = '', unit = ''] = part.exec(rest) ?? [];
    const factor = Object.hasOwn(units, unit) ? units[unit] : undefined;
    if (factor === undefined || whole + fraction === '' || whole.length > 20) return undefined;
    total += BigInt(whole) * factor + scaleFraction(fraction, factor);
    if (total > limit) return undefined;
  }
  if (sign === '-') return new Duration(-total);
  return total === limit ? undefined : new Duration(total);
}

/** Go computes fractions with doubles. */
function scaleFraction(fraction: string, factor: bigint): bigint {
  // Digits beyond the 18th have no effect.
  const digits = fraction.slice(0, 18);
  return digits === '' ? 0n : BigInt(Math.trunc(Number(digits) * (Number(factor) / 10 ** digits.length)));
}
