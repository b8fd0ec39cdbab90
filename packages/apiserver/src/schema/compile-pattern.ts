import { PatternMatcher } from 'ots-cel/pattern-matcher';
import type { Schema } from './json-schema.ts';

const compiled = new WeakMap<Schema, { pattern: string; matcher: PatternMatcher | undefined }>();

/**
 * Compiles a schema's pattern in Go's syntax, once. JavaScript's regular expressions will not do: they take
 * exponential time on some patterns, and their syntax differs.
 *
 * @returns undefined when it is too large
 * @throws {PatternError} when it is not a regular expression
 */
export function compilePattern(schema: Schema, pattern: string): PatternMatcher | undefined {
  const known = compiled.get(schema);
  if (known?.pattern === pattern) return known.matcher;
  const matcher = PatternMatcher.compile(pattern);
  compiled.set(schema, { pattern, matcher });
  return matcher;
}
