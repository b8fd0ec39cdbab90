import { compilePattern } from './compile-pattern.ts';
import type { Program } from './compile-pattern.ts';

const MAX_CACHED = 100;
const cache = new Map<string, Program | undefined>();

/**
 * A compiled pattern; the last ones are kept, because rules match the same pattern again and again.
 * @returns undefined when it has too many states
 * @throws PatternError when the API server would refuse the pattern
 */
export function cachedPattern(pattern: string): Program | undefined {
  if (cache.has(pattern)) return cache.get(pattern);
  const program = compilePattern(pattern);
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(pattern, program);
  return program;
}
