import { Duration } from './duration.ts';
import { parseDuration } from './parse-duration.ts';

const units: readonly (readonly [factor: bigint, names: readonly string[]])[] = [
  [1n, ['ns', 'nano']],
  [1000n, ['us', 'µs', 'micro']],
  [1_000_000n, ['ms', 'milli']],
  [1_000_000_000n, ['s', 'sec']],
  [60_000_000_000n, ['m', 'min']],
  [3_600_000_000_000n, ['h', 'hr', 'hour']],
  [86_400_000_000_000n, ['d', 'day']],
  [604_800_000_000_000n, ['w', 'wk', 'week']],
];

/** Parses a value of `format: duration`, which may also be like `3 days`; undefined when it is invalid. */
export function parseLenientDuration(text: string): Duration | undefined {
  const strict = parseDuration(text);
  if (strict) return strict;
  // No number is that long, and trying each digit would take quadratic time.
  if (/\d{20}/.test(text)) return undefined;
  let total: bigint | undefined;
  for (const [, count = '', unit = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    if (BigInt(count) >= 2n ** 63n) return undefined;
    for (const factor of factorsOf(unit.toLowerCase())) total = (total ?? 0n) + BigInt(count) * factor;
  }
  return total === undefined ? undefined : new Duration(BigInt.asIntN(64, total));
}

/** The last unit may have a suffix, as in `hours`. */
function factorsOf(unit: string): bigint[] {
  return units.flatMap(([factor, names]) => {
    const matches = names.filter(
      (name, i) => unit === name || (i === names.length - 1 && unit.startsWith(name)),
    );
    return matches.map(() => factor);
  });
}
