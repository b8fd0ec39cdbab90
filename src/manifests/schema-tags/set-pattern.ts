import { PatternError, parsePattern } from 'ots-cel';
import { unescapeComment } from '../tag-syntax/tag-text.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { addConstraint } from '../schema/add-constraint.ts';
import { readText } from './read-value.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';

/** Applies @pattern, with or without `/…/` around it. */
export function setPattern(schema: Schema, tag: Tag, fail: Fail): void {
  if (schema.type !== 'string' && !schema['x-kubernetes-int-or-string']) {
    return fail(`is for strings, and this is ${describeSchema(schema)}`);
  }
  const text = readText(tag, fail);
  if (text === undefined) return;
  const pattern = patternText(tag, text);
  if (pattern === undefined)
    return fail(
      'has quotes around its value, which would be part of it',
      'remove the quotes, or write /"…"/',
    );
  if (pattern === '') return fail('needs a regular expression');
  if (pattern.includes('\n')) return fail('must be one line', 'write prose before the first tag');
  try {
    parsePattern(pattern);
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    return fail(`is not a valid regular expression (RE2): ${error.message}`, error.hint);
  }
  addConstraint(schema, 'pattern', pattern);
}

/** @returns undefined if a doc tag has quotes around the pattern, which would be part of it */
function patternText(tag: Tag, text: string): string | undefined {
  if (tag.form === 'marker') return text;
  const quote = text[0];
  const quoted = text.length >= 2 && text.at(-1) === quote;
  if (quoted && (quote === '"' || quote === "'" || quote === '`')) return undefined;
  return unescapeComment(quoted && quote === '/' ? text.slice(1, -1) : text);
}
