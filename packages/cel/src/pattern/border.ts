import { isWordCharacter } from './parse-escape.ts';
import type { Assertion } from './pattern-node.ts';

/** A character class on one side of a position in a text. */
export type Border = 'none' | 'line-feed' | 'word' | 'other';

/** Whether an assertion holds between two characters, or at an end. */
export function holdsBetween(assertion: Assertion, before: Border, after: Border): boolean {
  switch (assertion) {
    case 'text-start':
      return before === 'none';
    case 'text-end':
      return after === 'none';
    case 'line-start':
      return before === 'none' || before === 'line-feed';
    case 'line-end':
      return after === 'none' || after === 'line-feed';
    default:
      return ((before === 'word') !== (after === 'word')) === (assertion === 'word-boundary');
  }
}

/** The class of a character for its neighbors. */
export function borderOf(character: number): Border {
  if (character === 10) return 'line-feed';
  return isWordCharacter(character) ? 'word' : 'other';
}
