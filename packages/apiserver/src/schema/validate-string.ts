import { goQuote } from 'ots-apimachinery/go/go-quote';
import { knownFormat, matchesFormat } from 'ots-apimachinery/formats/formats';
import { fieldPath, invalid, tooLong, typeInvalid } from '../status/field-error.ts';
import { compilePattern } from './compile-pattern.ts';
import type { Run } from './run.ts';
import type { Schema } from './json-schema.ts';

/**
 * Checks length and pattern of a string; reports only the first error.
 *
 * @returns the number of checks
 */
export function checkString(run: Run, value: string, schema: Schema, path: string): number {
  const { maxLength, minLength, pattern } = schema;
  const field = fieldPath(run.base, path);
  const length = maxLength === undefined && minLength === undefined ? 0 : countCharacters(value);
  if (maxLength !== undefined && length > maxLength) run.errors.push(tooLong(field, maxLength));
  else if (minLength !== undefined && length < minLength)
    run.errors.push(invalid(field, value, `${path} in body should be at least ${minLength} chars long`));
  else if (pattern) checkPattern(run, value, schema, pattern, path);
  return 1;
}

/** A real server would continue for minutes where this gives up. */
function checkPattern(run: Run, value: string, schema: Schema, pattern: string, path: string): void {
  const matches = compilePattern(schema, pattern)?.matches(value, run.patternSteps);
  if (matches) return;
  const fault = matches === false ? 'should match' : 'takes too long to match';
  run.errors.push(invalid(fieldPath(run.base, path), value, `${path} in body ${fault} '${pattern}'`));
}

/**
 * Checks the format of a string.
 *
 * @returns the number of checks
 */
export function checkFormat(run: Run, value: string, schema: Schema, path: string): number {
  const format = knownFormat(schema);
  if (
    format === undefined ||
    (typeof schema.type === 'string' && schema.type !== '' && schema.type !== 'string')
  )
    return 0;
  if (!matchesFormat(value, format)) {
    const detail = `${path} in body must be of type ${format}: ${goQuote(value)}`;
    run.errors.push(typeInvalid(fieldPath(run.base, path), value, detail));
  }
  return 1;
}

function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
