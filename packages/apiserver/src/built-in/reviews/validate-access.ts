import type {
  FieldSelectorAttributes,
  LabelSelectorAttributes,
  NonResourceAttributes,
  SelfSubjectAccessReviewSpec,
} from 'ots-kubernetes/authorization/v1';
import { validateOperator, validateRequirement } from '../validation/validate-label-selector.ts';
import { type FieldError, invalid, required } from '../../status/field-error.ts';

/** Validates the attributes: access to a resource, or to a path outside of resources. */
export function validateAccess(spec: SelfSubjectAccessReviewSpec): FieldError[] {
  return [
    ...validateChoice(spec),
    ...validateFields(spec.resourceAttributes?.fieldSelector),
    ...validateLabels(spec.resourceAttributes?.labelSelector),
  ];
}

function validateChoice({
  resourceAttributes,
  nonResourceAttributes,
}: SelfSubjectAccessReviewSpec): FieldError[] {
  if (resourceAttributes && nonResourceAttributes) {
    const detail = 'cannot be specified in combination with resourceAttributes';
    return [invalid('spec.nonResourceAttributes', inGo(nonResourceAttributes), detail)];
  }
  if (resourceAttributes || nonResourceAttributes) return [];
  const detail = 'exactly one of nonResourceAttributes or resourceAttributes must be specified';
  return [invalid('spec.resourceAttributes', null, detail)];
}

/** The attributes as messages show them, with Go's field names. */
export function inGo({ path = '', verb = '' }: NonResourceAttributes): object {
  return { Path: path, Verb: verb };
}

const selectors = 'spec.resourceAttributes';

function validateFields(selector: FieldSelectorAttributes | undefined): FieldError[] {
  if (!selector) return [];
  const field = `${selectors}.fieldSelector`;
  const requirements = selector.requirements ?? [];
  return [
    ...validateForm(selector, field),
    ...requirements.flatMap(({ key, operator, values = [] }, index) => {
      const path = `${field}.requirements[${index}]`;
      const errors = known(validateOperator(operator, values, path));
      return key === '' ? [required(`${path}.key`, 'must be specified'), ...errors] : errors;
    }),
  ];
}

function validateLabels(selector: LabelSelectorAttributes | undefined): FieldError[] {
  if (!selector) return [];
  const field = `${selectors}.labelSelector`;
  const requirements = selector.requirements ?? [];
  return [
    ...validateForm(selector, field),
    ...requirements.flatMap((requirement, index) =>
      known(validateRequirement(requirement, `${field}.requirements[${index}]`, { invalidValues: false })),
    ),
  ];
}

/** A selector is either a string or a list. */
function validateForm(
  { rawSelector = '', requirements = [] }: { rawSelector?: string; requirements?: readonly unknown[] },
  field: string,
): FieldError[] {
  if (rawSelector !== '' && requirements.length > 0)
    return [
      invalid(`${field}.rawSelector`, rawSelector, 'may not specified at the same time as requirements'),
    ];
  if (rawSelector !== '' || requirements.length > 0) return [];
  return [
    required(`${field}.requirements`, `when ${field} is specified, requirements or rawSelector is required`),
  ];
}

/** Newer clients may use operators that this server does not know. */
function known(errors: readonly FieldError[]): FieldError[] {
  return errors.filter(({ field }) => !field.endsWith('.operator'));
}
