import { cachedPattern } from './cached-pattern.ts';
import { MAX_STEPS } from './max-steps.ts';
import { searchPattern } from './search-pattern.ts';

/**
 * Whether a pattern matches somewhere in a text, as the API server sees it. The time is linear in the text: no pattern can take forever.
 * @returns undefined when pattern and text are so large that it would still take too long
 * @throws PatternError when the API server would refuse the pattern
 */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  const program = cachedPattern(pattern);
  if (!program) return undefined;
  const budget = { left: MAX_STEPS };
  const codePoints = Array.from(text, (character) => character.codePointAt(0)!);
  const match = searchPattern(program, codePoints, 0, true, budget);
  return match ? true : budget.left < 0 ? undefined : false;
}
