import { type Semver, compareSemver, parseSemver, parseTolerantSemver } from './semver.ts';
import { isSemverRange } from './semver-range.ts';

/**
 * Whether a version is in a range, such as `>=1.0.0 <2.0.0 || 3.x`.
 *
 * @param range as {@link isSemverRange} accepts it
 * @returns false for what is not a version or not a range
 */
export function isInSemverRange(version: string, range: string): boolean {
  const parsed = parseTolerantSemver(version);
  if (!parsed || !isSemverRange(range)) return false;
  return range
    .split('||')
    .some((alternative) => comparisonsIn(alternative).every((comparison) => satisfies(parsed, comparison)));
}

/** A blank after a comparator does not separate. */
function comparisonsIn(text: string): string[] {
  return text
    .trim()
    .replaceAll(/([<>=!]) +/g, '$1')
    .split(/ +/)
    .filter((part) => part !== '');
}

function satisfies(version: Semver, comparison: string): boolean {
  const start = comparison.search(/\d/);
  const comparator = comparison.slice(0, start);
  const [low, high] = boundsOf(comparison.slice(start));
  if (!low || !high) return false;
  const isIn = compareSemver(version, low) >= 0 && isBelowOrAt(version, low, high);
  switch (comparator) {
    case '!':
    case '!=':
      return !isIn;
    case '<':
      return compareSemver(version, low) < 0;
    case '>=':
      return compareSemver(version, low) >= 0;
    case '>':
      return compareSemver(version, low) > 0 && !isIn;
    case '<=':
      return compareSemver(version, low) < 0 || isIn;
    default:
      return isIn;
  }
}

/** A version is its own bound; one with `x` goes up to the next number, without it. */
function boundsOf(text: string): [Semver | undefined, Semver | undefined] {
  if (!text.includes('x')) {
    const exact = parseSemver(text);
    return [exact, exact];
  }
  const [major = '0', minor = 'x'] = text.split('.');
  const low = parseSemver(`${major}.${minor === 'x' ? '0' : minor}.0`);
  const next = minor === 'x' ? [BigInt(major) + 1n, 0n] : [BigInt(major), BigInt(minor) + 1n];
  return [low, parseSemver(`${next.join('.')}.0`)];
}

function isBelowOrAt(version: Semver, low: Semver, high: Semver): boolean {
  return low === high ? compareSemver(version, high) === 0 : compareSemver(version, high) < 0;
}
