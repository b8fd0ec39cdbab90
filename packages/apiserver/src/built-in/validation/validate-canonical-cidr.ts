import { type FieldError, invalid } from '../../status/field-error.ts';
import { formatIpRange, parseIpRange } from './ip-range.ts';
import { validateCidr } from './validate-cidr.ts';

/** Validates a range of addresses in canonical form. */
export function validateCanonicalCidr(text: string, field: string): FieldError[] {
  const errors = validateCidr(text, field);
  const range = parseIpRange(text);
  if (errors.length > 0 || !range || formatIpRange(range) === text) return errors;
  return [invalid(field, text, `must be in canonical form ("${formatIpRange(range)}")`)];
}
