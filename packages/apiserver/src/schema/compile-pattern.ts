import { PatternMatcher } from 'ots-cel/pattern-matcher';
import type { Schema } from './json-schema.ts';

const compiled = new WeakMap<Schema, { pattern: string; matcher: PatternMatcher | undefined }>();

/**
 * The pattern of a schema in Go's syntax, compiled once. JavaScript's own regular expressions do not serve: they take forever for
 * some patterns, and mean other things by some signs.
 *
 * @returns undefined when it is too large
 * @throws {PatternError} when it is no regular expression
 */
export function compilePattern(schema: Schema, pattern: string): PatternMatcher | undefined {
  const known = compiled.get(schema);
  if (known?.pattern === pattern) return known.matcher;
  const matcher = PatternMatcher.compile(pattern);
  compiled.set(schema, { pattern, matcher });
  return matcher;
}
