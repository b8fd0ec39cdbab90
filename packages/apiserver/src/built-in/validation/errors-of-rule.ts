import type { NameRule } from 'ots-apimachinery/names';
import { type FieldError, invalid } from '../../status/field-error.ts';

/** The errors of a name rule, as errors of a field. */
export function errorsOfRule(field: string, text: string, rule: NameRule): FieldError[] {
  return rule(text).map((message) => invalid(field, text, message));
}
