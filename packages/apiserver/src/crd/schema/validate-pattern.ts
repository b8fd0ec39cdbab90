import { PatternError } from 'ots-cel/pattern-error';
import { compilePattern } from '../../schema/compile-pattern.ts';
import type { Schema } from '../../schema/json-schema.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

/** Validates `pattern`: it must be a regular expression of limited size. */
export function validatePattern(schema: Schema, path: string): FieldError[] {
  const { pattern } = schema;
  if (!pattern) return [];
  try {
    if (compilePattern(schema, pattern)) return [];
    return [invalid(`${path}.pattern`, pattern, 'is too large')];
  } catch (error) {
    if (!(error instanceof PatternError)) throw error;
    const detail = `must be a valid regular expression, but isn't: ${error.goMessage}`;
    return [invalid(`${path}.pattern`, pattern, detail)];
  }
}
