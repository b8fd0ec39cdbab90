import type { CharacterTest } from './pattern-node.ts';

/** A set of characters, as JavaScript's classes write it. */
export interface CharacterSet {
  readonly source: string;
  /** Whether it is all characters but those. */
  readonly negated: boolean;
}

/** The characters from one to another. */
export function characterRange(low: number, high: number): CharacterSet {
  return { source: `\\u{${low.toString(16)}}-\\u{${high.toString(16)}}`, negated: false };
}

/**
 * Tells the characters of a set.
 * @param fold whether both cases of a letter match: they are added before a set is negated, as Go does it
 */
export function characterTest({ source, negated }: CharacterSet, fold: boolean): CharacterTest {
  const set = new RegExp(`^[${source}]`, fold ? 'iu' : 'u');
  return (c) => set.test(String.fromCodePoint(c)) !== negated;
}
