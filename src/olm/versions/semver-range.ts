import { parseSemver } from './semver.ts';

const comparators = new Set(['', '=', '==', '!', '!=', '<', '<=', '>', '>=']);

/**
 * Whether a text is a range of versions: comparisons such as `>=1.0.0`, separated by blanks (and) or `||` (or), with `x` for any
 * minor or patch version.
 *
 * Source: the library that OLM reads ranges with. Carets, tildes and hyphens are not part of it.
 */
export function isSemverRange(text: string): boolean {
  const parts = partsOf(text);
  if (parts.length === 0 || parts[0] === '||' || parts.at(-1) === '||') return false;
  return parts.every((part) => part === '||' || isComparison(part));
}

/** A blank after a comparator does not separate. The library loses a part of one character. */
function partsOf(text: string): string[] {
  return text
    .split(/(?<![<>=] *) /)
    .filter((part) => part.length > 1)
    .map((part) => part.replaceAll(' ', ''));
}

function isComparison(part: string): boolean {
  const start = part.search(/\d/);
  if (start === -1) return false;
  const comparator = part.slice(0, start).trim();
  const version = part.slice(start);
  if (part.includes('x')) return isWildcard(comparator, version);
  return comparators.has(comparator) && parseSemver(version) !== undefined;
}

/** Before a version with a wildcard, the library ignores what it does not know, also a tilde. */
function isWildcard(comparator: string, version: string): boolean {
  const flat = version.replace('.x.x', '.x').replace('.x', '.0');
  const whole = flat.split('.').length === 2 ? `${flat}.0` : flat;
  if (!parseSemver(whole)) return false;
  const takesAny = !comparators.has(comparator) || comparator === '>=' || comparator === '<';
  return takesAny || /^[^.]*(?:\.[^.]*)?\.x$/.test(version);
}
