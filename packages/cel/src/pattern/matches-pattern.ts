import { cachedByPattern } from './cached-by-pattern.ts';
import { maxSteps } from './search-pattern.ts';
import { PatternMatcher } from './pattern-matcher.ts';

const cachedMatcher = cachedByPattern((pattern) => PatternMatcher.compile(pattern));

/**
 * Whether a pattern matches somewhere in a text, as in the API server. The time is linear in the text: no pattern
 * takes exponential time.
 *
 * @returns undefined when pattern and text are so large that it would still take too long
 * @throws PatternError when the API server would refuse the pattern
 */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  return cachedMatcher(pattern)?.matches(text, { left: maxSteps });
}
