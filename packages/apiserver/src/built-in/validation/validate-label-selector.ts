import type { LabelSelector, LabelSelectorRequirement } from 'ots-kubernetes/meta/v1';
import { labelValue, qualifiedName } from 'ots-apimachinery/names';
import { type FieldError, forbidden, invalid, required } from '../../status/field-error.ts';
import { errorsOfRule } from './errors-of-rule.ts';

/** Faults that a selector may keep, because stored objects already have them. */
export interface SelectorTolerance {
  /** Values that are not valid label values. */
  invalidValues: boolean;
}

/** Validates a selector with `matchLabels` and `matchExpressions`. */
export function validateLabelSelector(
  { matchLabels = {}, matchExpressions = [] }: LabelSelector,
  path: string,
  tolerance: SelectorTolerance = { invalidValues: false },
): FieldError[] {
  return [
    ...validateLabels(matchLabels, `${path}.matchLabels`),
    ...matchExpressions.flatMap((requirement, index) =>
      validateRequirement(requirement, `${path}.matchExpressions[${index}]`, tolerance),
    ),
  ];
}

/** Validates a map of labels. */
export function validateLabels(labels: Record<string, string>, field: string): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...errorsOfRule(field, key, qualifiedName),
    ...errorsOfRule(field, value, labelValue),
  ]);
}

/** Validates one expression of a selector. */
export function validateRequirement(
  { key, operator, values = [] }: LabelSelectorRequirement,
  path: string,
  { invalidValues }: SelectorTolerance,
): FieldError[] {
  return [
    ...validateOperator(operator, values, path),
    ...errorsOfRule(`${path}.key`, key, qualifiedName),
    ...(invalidValues
      ? []
      : values.flatMap((value, index) => errorsOfRule(`${path}.values[${index}]`, value, labelValue))),
  ];
}

/** Checks that an expression has values if and only if its operator needs them. */
export function validateOperator(operator: string, values: readonly string[], path: string): FieldError[] {
  switch (operator) {
    case 'In':
    case 'NotIn':
      return values.length > 0
        ? []
        : [required(`${path}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return values.length === 0
        ? []
        : [forbidden(`${path}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}
