const unitNanoseconds: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1000n],
  // Both letters that look like it: U+00B5 and U+03BC.
  ['µs', 1000n],
  ['μs', 1000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

/** 292 years; only negative durations reach it. */
const limit = 2n ** 63n;

/**
 * Parses a duration of Go, such as `1h30m` or `-1.5s` (https://pkg.go.dev/time#ParseDuration).
 *
 * @returns nanoseconds within 64 bits, or what is wrong with the text in Go's words
 */
export function parseDuration(text: string): bigint | string {
  const refuse = (problem: string) => `time: ${problem} duration ${JSON.stringify(text)}`;
  const rest = text.replace(/^[-+]/, '');
  if (rest === '0') return 0n;
  if (rest === '') return refuse('invalid');
  let total = 0n;
  const part = /(\d*)(?:\.(\d*))?([^\d.]*)/suy;
  while (part.lastIndex < rest.length) {
    const [, whole = '', fraction = '', unit = ''] = part.exec(rest) ?? [];
    const count = whole.replace(/^0+/, '');
    if (whole + fraction === '' || count.length > 19) return refuse('invalid');
    if (unit === '') return refuse('missing unit in');
    const factor = unitNanoseconds.get(unit);
    if (factor === undefined) return refuse(`unknown unit ${JSON.stringify(unit)} in`);
    total += BigInt(count) * factor + scaleFraction(fraction, factor);
    if (total > limit) return refuse('invalid');
  }
  if (text.startsWith('-')) return -total;
  return total === limit ? refuse('invalid') : total;
}

/** Go computes fractions with doubles, from the digits that fit into 64 bits. */
function scaleFraction(fraction: string, factor: bigint): bigint {
  if (fraction === '') return 0n;
  const long = fraction.slice(0, 19);
  const digits = BigInt(long) <= limit ? long : long.slice(0, 18);
  return BigInt(Math.trunc(Number(digits) * (Number(factor) / 10 ** digits.length)));
}

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

/**
 * Parses a value of `format: duration`: a duration of Go, or a text with numbers and units anywhere, such as `3 days and a bit`
 * (strfmt.ParseDuration of k8s.io/kube-openapi).
 *
 * @returns nanoseconds within 64 bits; undefined when the text is not a duration
 */
export function parseLenientDuration(text: string): bigint | undefined {
  const strict = parseDuration(text);
  if (typeof strict === 'bigint') return strict;
  // No number is that long, and trying each of its digits as the first would take too long.
  if (/\d{20}/.test(text)) return undefined;
  let total: bigint | undefined;
  for (const [, count = '', unit = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    if (BigInt(count) >= limit) return undefined;
    for (const factor of factorsOf(unit.toLowerCase())) total = (total ?? 0n) + BigInt(count) * factor;
  }
  return total === undefined ? undefined : BigInt.asIntN(64, total);
}

/** The last name of a unit may be longer, as in `hours`. */
function factorsOf(unit: string): bigint[] {
  return units.flatMap(([factor, names]) => {
    const matches = names.filter(
      (name, i) => unit === name || (i === names.length - 1 && unit.startsWith(name)),
    );
    return matches.map(() => factor);
  });
}
