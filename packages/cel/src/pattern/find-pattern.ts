import { cachedByPattern } from './cached-by-pattern.ts';
import { compilePattern } from './compile-pattern.ts';
import { maxSteps, searchPattern } from './search-pattern.ts';

const cachedPattern = cachedByPattern(compilePattern);

/**
 * The consecutive matches of a pattern in a text.
 *
 * @param limit the maximum number of matches
 * @returns undefined when pattern and text are so large that it would take too long
 * @throws PatternError when the API server would refuse the pattern
 */
export function findPattern(pattern: string, text: string, limit: number): string[] | undefined {
  const program = cachedPattern(pattern);
  if (!program) return undefined;
  const characters = Array.from(text);
  const codePoints = characters.map((character) => character.codePointAt(0)!);
  const budget = { left: maxSteps };
  const found: string[] = [];
  for (let at = 0, previousEnd = -1; found.length < limit && at <= codePoints.length;) {
    const match = searchPattern(program, codePoints, at, false, budget);
    if (budget.left < 0) return undefined;
    if (!match) break;
    const [start, end] = match;
    // An empty match directly after another match does not count.
    if (end !== at || start !== previousEnd) found.push(characters.slice(start, end).join(''));
    at = end === at ? at + 1 : end;
    previousEnd = end;
  }
  return found;
}
