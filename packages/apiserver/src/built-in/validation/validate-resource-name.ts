import { qualifiedName } from 'ots-apimachinery/names';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { errorsOfRule } from './errors-of-rule.ts';
import { isStandardResource } from './resource-names.ts';

/** Validates a resource name: a standard one, or `domain/name`. */
export function validateResourceName(field: string, name: string): FieldError[] {
  const errors = errorsOfRule(field, name, qualifiedName);
  if (errors.length > 0 || name.includes('/') || isStandardResource(name)) return errors;
  return [invalid(field, name, 'must be a standard resource type or fully qualified')];
}
