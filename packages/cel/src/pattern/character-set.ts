import type { CharacterTest } from './pattern-node.ts';

/** A set of characters in the notation of JavaScript's character classes. */
export interface CharacterSet {
  readonly source: string;
  /** Whether the set is the complement of those characters. */
  readonly negated: boolean;
}

/** The characters from one to another. */
export function characterRange(low: number, high: number): CharacterSet {
  return { source: `\\u{${low.toString(16)}}-\\u{${high.toString(16)}}`, negated: false };
}

/**
 * Compiles a membership test.
 *
 * @param fold whether both cases of a letter match: they are added before a set is negated, as in Go
 */
export function characterTest({ source, negated }: CharacterSet, fold: boolean): CharacterTest {
  const set = new RegExp(`^[${source}]`, fold ? 'iu' : 'u');
  return (c) => set.test(String.fromCodePoint(c)) !== negated;
}
