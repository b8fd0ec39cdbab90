import { type FieldError, invalid } from '../../status/field-error.ts';
import { isContainerResource, isExtendedResource, isNativeResource } from '../validation/resource-names.ts';
import { validateResourceName } from '../validation/validate-resource-name.ts';

/** Validates the name of a resource that a container can request. */
export function validateContainerResourceName(field: string, name: string): FieldError[] {
  const errors = validateResourceName(field, name);
  if (!name.includes('/'))
    return isContainerResource(name)
      ? errors
      : [...errors, invalid(field, name, 'must be a standard resource for containers')];
  return isNativeResource(name) || isExtendedResource(name)
    ? errors
    : [...errors, invalid(field, name, "doesn't follow extended resource name standard")];
}
