import type { NameRule } from 'ots-apimachinery/names';
import { type FieldError, invalid } from '../../status/field-error.ts';

/** What a rule finds wrong with a text, as errors of its field. */
export function errorsOfRule(field: string, text: string, rule: NameRule): FieldError[] {
  return rule(text).map((message) => invalid(field, text, message));
}
