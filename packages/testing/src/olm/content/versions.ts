/** A semantic version: numbers, and the parts of a pre-release. Build metadata does not count. */
interface Version {
  readonly numbers: readonly number[];
  readonly prerelease: readonly string[];
}

const pattern = /^v?(\d+|[xX*])(?:\.(\d+|[xX*]))?(?:\.(\d+|[xX*]))?(?:-([\w.-]+))?(?:\+[\w.-]+)?$/;

/** Compares semantic versions by precedence. @returns a negative number, 0 or a positive one */
export function compareVersions(left: string, right: string): number {
  return compare(wholeVersion(left), wholeVersion(right));
}

/**
 * Whether a version is in a range: comparisons, `~`, `^`, hyphens and wildcards, separated by blanks or commas (and) and `||` (or). OLM v0 and v1
 * read ranges with different libraries; this is what both understand, and the rest as v1 does.
 */
export function isInRange(version: string, range: string): boolean {
  const value = wholeVersion(version);
  return range.split('||').some((alternative) => comparisonsOf(alternative).every((test) => test(value)));
}

type Test = (version: Version) => boolean;

function comparisonsOf(alternative: string): Test[] {
  const plain = alternative
    .replaceAll(/(\S+)\s+-\s+(\S+)/g, '>=$1 <=$2')
    .replaceAll(/([<>=!~^])\s+/g, '$1')
    .trim();
  return plain
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(testOf);
}

function testOf(comparison: string): Test {
  const [, operator = '', text = ''] = /^(!=?|[<>]=?|=[<>=]?|~>?|\^)?(.*)$/.exec(comparison) ?? [];
  const lower = numbersOf(text);
  if (!lower) return () => false;
  const from = { numbers: lower.map((part) => part ?? 0), prerelease: prereleaseOf(text) };
  const below = (position: number): Test => {
    const end = next(from.numbers, position);
    return (version) => compare(version, from) >= 0 && (end === undefined || compare(version, end) < 0);
  };
  /** The first part that is not fixed. */
  const open = lower.indexOf(undefined);
  const exact: Test = open === -1 ? (version) => compare(version, from) === 0 : below(open - 1);
  switch (operator) {
    case '':
    case '=':
    case '==':
      return exact;
    case '!':
    case '!=':
      return (version) => !exact(version);
    case '>':
      return open > 0
        ? (version) => compare(version, next(from.numbers, open - 1)!) >= 0
        : (version) => compare(version, from) > 0;
    case '>=':
    case '=>':
      return (version) => compare(version, from) >= 0;
    case '<':
      return (version) => compare(version, from) < 0;
    case '<=':
    case '=<':
      return open > 0
        ? (version) => compare(version, next(from.numbers, open - 1)!) < 0
        : (version) => compare(version, from) <= 0;
    case '^': {
      const first = from.numbers.findIndex((part) => part > 0);
      return below(first === -1 ? 2 : first);
    }
    default:
      return below(open === -1 ? 1 : Math.min(open - 1, 1));
  }
}

/** The version after all that share the parts up to a position; undefined after all versions. */
function next(numbers: readonly number[], position: number): Version | undefined {
  if (position < 0) return undefined;
  const end = numbers.map((part, index) => (index < position ? part : index === position ? part + 1 : 0));
  // Pre-releases of the next version are not among those before it.
  return { numbers: end, prerelease: ['0'] };
}

function numbersOf(text: string): (number | undefined)[] | undefined {
  const match = pattern.exec(text);
  return match?.slice(1, 4).map((part) => (part && /\d/.test(part) ? Number(part) : undefined));
}

function prereleaseOf(text: string): string[] {
  return pattern.exec(text)?.[4]?.split('.') ?? [];
}

function wholeVersion(text: string): Version {
  return { numbers: (numbersOf(text) ?? [0, 0, 0]).map((part) => part ?? 0), prerelease: prereleaseOf(text) };
}

function compare(left: Version, right: Version): number {
  const numbers = left.numbers.map((part, index) => part - right.numbers[index]!).find((part) => part !== 0);
  if (numbers !== undefined) return numbers;
  const { length } = left.prerelease;
  if (length === 0 || right.prerelease.length === 0) return right.prerelease.length - length;
  for (let index = 0; index < Math.max(length, right.prerelease.length); index += 1) {
    const order = comparePart(left.prerelease[index], right.prerelease[index]);
    if (order !== 0) return order;
  }
  return 0;
}

function comparePart(left: string | undefined, right: string | undefined): number {
  if (left === right) return 0;
  if (left === undefined) return -1;
  if (right === undefined) return 1;
  const [leftIsNumber, rightIsNumber] = [left, right].map((part) => /^\d+$/.test(part));
  if (leftIsNumber && rightIsNumber) return Number(left) - Number(right);
  if (leftIsNumber !== rightIsNumber) return leftIsNumber ? -1 : 1;
  return left < right ? -1 : 1;
}
