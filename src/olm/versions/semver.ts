/** A semantic version. Numbers may be larger than JavaScript represents exactly. */
export interface Semver {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  readonly prerelease: readonly (string | bigint)[];
  readonly build: readonly string[];
}

const maxNumber = 2n ** 64n - 1n;

/**
 * Parses a semantic version, by the rules of the library of the Operator Framework: numbers have at most 64 bits.
 * Source: https://semver.org, version 2.0.0.
 *
 * @returns undefined when the text is not one
 */
export function parseSemver(text: string): Semver | undefined {
  const match = /^([^.]*)\.([^.]*)\.([^-+]*)(?:-([^+]*))?(?:\+([^]*))?$/.exec(text);
  if (!match) return undefined;
  const [major, minor, patch] = [match[1]!, match[2]!, match[3]!].map(parseNumber);
  const prerelease = parseRelease(match[4]);
  const build = match[5]?.split('.') ?? [];
  if (major === undefined || minor === undefined || patch === undefined || !prerelease) return undefined;
  if (!build.every((part) => /^[-0-9A-Za-z]+$/.test(part))) return undefined;
  return { major, minor, patch, prerelease, build };
}

/**
 * Parses a version that may lack its last parts, start with `v`, or have numbers with leading zeros: `v1.22`, `01.2`.
 *
 * @returns undefined when the text is not one
 */
export function parseTolerantSemver(text: string): Semver | undefined {
  const [first = '', second, ...rest] = text.trim().replace(/^v/, '').split('.');
  const parts = [
    first,
    ...(second === undefined ? [] : [second]),
    ...(rest.length > 0 ? [rest.join('.')] : []),
  ];
  const plain = parts.map((part) => (part.length > 1 ? withDigit(part.replace(/^0+/, '')) : part));
  if (plain.length < 3 && /[-+]/.test(plain.at(-1)!)) return undefined;
  while (plain.length < 3) plain.push('0');
  return parseSemver(plain.join('.'));
}

/** The library adds the zero that it took from `0-rc` also where there was none. */
function withDigit(part: string): string {
  return /^\d/.test(part) ? part : `0${part}`;
}

/** Parses what follows the `-` of a version, also as the release of a bundle: parts of which numbers have no leading zero. */
export function parseRelease(text: string | undefined): (string | bigint)[] | undefined {
  if (text === undefined) return [];
  const parts = text.split('.').map((part) => {
    if (/^\d+$/.test(part)) return parseNumber(part);
    return /^[-0-9A-Za-z]+$/.test(part) ? part : undefined;
  });
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function parseNumber(text: string): bigint | undefined {
  if (!/^(?:0|[1-9]\d*)$/.test(text) || text.length > 20) return undefined;
  const number = BigInt(text);
  return number <= maxNumber ? number : undefined;
}

/** The canonical text of a version. */
export function formatSemver({ major, minor, patch, prerelease, build }: Semver): string {
  const suffix = prerelease.length > 0 ? `-${prerelease.join('.')}` : '';
  return `${major}.${minor}.${patch}${suffix}${build.length > 0 ? `+${build.join('.')}` : ''}`;
}

/** Compares two versions by precedence; build metadata does not count. @returns a negative number, 0 or a positive one */
export function compareSemver(left: Semver, right: Semver): number {
  return (
    order(left.major, right.major) ||
    order(left.minor, right.minor) ||
    order(left.patch, right.patch) ||
    comparePrerelease(left.prerelease, right.prerelease)
  );
}

function comparePrerelease(left: Semver['prerelease'], right: Semver['prerelease']): number {
  if (left.length === 0 || right.length === 0) return order(right.length, left.length);
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const difference = typeof part === typeof other ? order(part, other) : typeof part === 'bigint' ? -1 : 1;
    if (difference !== 0) return difference;
  }
  return left.length === right.length ? 0 : -1;
}

function order<Value extends string | number | bigint>(left: Value, right: Value): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
