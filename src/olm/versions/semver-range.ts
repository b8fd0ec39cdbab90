import { parseSemver } from './semver.ts';

const comparators = new Set(['', '=', '==', '!', '!=', '<', '<=', '>', '>=']);

/**
 * Whether a text is a range of versions: comparisons such as `>=1.0.0`, separated by blanks (and) or `||` (or), with `x` for any
 * minor or patch version. An empty text is one, which contains nothing.
 *
 * Source: the library that OLM reads ranges with. Carets, tildes and hyphens are not part of it.
 */
export function isSemverRange(text: string): boolean {
  const parts = partsOf(text);
  if (parts[0] === '||' || parts.at(-1) === '||') return false;
  return parts.every((part) => part === '||' || isComparison(part));
}

/** A blank after a comparator does not separate. The library loses a part of one character. */
function partsOf(text: string): string[] {
  return text
    .replaceAll(/([<>=]) +/g, '$1')
    .split(' ')
    .filter((part) => part.length > 1);
}

function isComparison(part: string): boolean {
  const start = part.search(/\d/);
  if (start === -1 || !comparators.has(part.slice(0, start).trim())) return false;
  return parseSemver(withoutWildcard(part.slice(start))) !== undefined;
}

function withoutWildcard(version: string): string {
  const [, major, minor] = /^(\d+)(?:\.(\d+))?\.x(?:\.x)?$/.exec(version) ?? [];
  return major === undefined ? version : `${major}.${minor ?? 0}.0`;
}
