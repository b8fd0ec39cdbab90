import type { Tag } from '../markers/tag.ts';
import type { Fail } from './apply-tags.ts';
import { parsePattern } from './pattern/parse-pattern.ts';
import { PatternError } from './pattern/pattern-error.ts';
import { describeSchema } from './schema.ts';
import type { Schema } from './schema.ts';

/** Applies @pattern; `/…/` around it is optional. */
export function setPattern(schema: Schema, tag: Tag, fail: Fail): void {
  if (schema.type !== 'string' && !schema['x-kubernetes-int-or-string']) {
    return fail(`is for strings, and this is ${describeSchema(schema)}`);
  }
  const pattern = patternText(tag);
  if (pattern === undefined)
    return fail(
      'has quotes around its value, which would be part of it',
      'leave the quotes out, or write /"…"/',
    );
  if (pattern === '') return fail('needs a regular expression');
  if (pattern.includes('\n')) return fail('must be one line', 'write prose before the first tag');
  try {
    parsePattern(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return fail(`is no regular expression of the API server: ${error.message}`, error.hint);
  }
  if (schema.pattern !== undefined && schema.pattern !== pattern)
    return fail('differs from that of the type', 'combine them into one');
  schema.pattern = pattern;
}

function patternText(tag: Tag): string | undefined {
  const { value } = tag;
  const quote = value[0];
  const quoted = value.length >= 2 && value.at(-1) === quote;
  if (tag.form === 'marker' && quoted && quote === '`') return value.slice(1, -1);
  if (tag.form === 'marker' && quoted && quote === '"')
    return value.slice(1, -1).replaceAll(/\\(["\\])/g, '$1');
  if (quoted && (quote === '"' || quote === "'" || quote === '`')) return undefined;
  return quoted && quote === '/' ? value.slice(1, -1) : value;
}
