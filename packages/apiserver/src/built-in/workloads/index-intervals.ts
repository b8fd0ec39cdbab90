import { goQuote } from 'ots-apimachinery/go/go-quote';
import { parseInteger } from 'ots-apimachinery/go/parse-integer';

type Interval = readonly [first: number, last: number];

/**
 * Counts the indexes in a list such as `1,3-5,7`.
 *
 * @param completions the exclusive upper bound of indexes
 * @throws {SyntaxError} in the words of kube-apiserver
 */
export function countIndexes(text: string, completions: number): number {
  let count = 0;
  let previous: number | undefined;
  for (const part of text === '' ? [] : text.split(',')) {
    const [first, last] = parse(part, completions);
    checkIncreasing(previous, first);
    count += last - first + 1;
    previous = last;
  }
  return count;
}

/** The first index in both lists. Ignores parts that cannot be parsed. */
export function findOverlap(left: string, right: string, completions: number): number | undefined {
  const ones = readable(left, completions);
  const others = readable(right, completions);
  for (let index = 0, at = 0; ;) {
    const [one, other] = [ones[index], others[at]];
    if (!one || !other) return undefined;
    if (one[0] <= other[1] && other[0] <= one[1]) return Math.max(one[0], other[0]);
    if (one[0] <= other[0]) index += 1;
    else at += 1;
  }
}

function readable(text: string, completions: number): Interval[] {
  if (text === '') return [];
  return text.split(',').flatMap((part) => {
    try {
      return [parse(part, completions)];
    } catch {
      return [];
    }
  });
}

function parse(part: string, completions: number): Interval {
  const limits = part.split('-');
  if (limits.length > 2) {
    throw new SyntaxError(
      `the fragment ${goQuote(part)} violates the requirement that an index interval can have at most two parts separated by '-'`,
    );
  }
  const first = parseIndex(limits[0] ?? '', completions);
  if (limits[1] === undefined) return [first, first];
  const last = parseIndex(limits[1], completions);
  checkIncreasing(first, last);
  return [first, last];
}

function parseIndex(text: string, completions: number): number {
  const index = parseInteger(text);
  if (index === undefined)
    throw new SyntaxError(`cannot convert string to integer for index: ${goQuote(text)}`);
  if (index >= completions) throw new SyntaxError(`too large index: ${goQuote(text)}`);
  return index;
}

function checkIncreasing(previous: number | undefined, current: number): void {
  if (previous !== undefined && previous >= current)
    throw new SyntaxError(`non-increasing order, previous: ${previous}, current: ${current}`);
}
