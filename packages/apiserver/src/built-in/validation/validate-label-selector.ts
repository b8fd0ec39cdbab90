import type { LabelSelector, LabelSelectorRequirement } from 'ots-kubernetes/meta/v1';
import { labelValue, qualifiedName } from 'ots-apimachinery/names';
import { type FieldError, forbidden, invalid, required } from '../../status/field-error.ts';
import { errorsOfRule } from './errors-of-rule.ts';

/** Which faults a selector may have, because objects that are stored already have them. */
export interface SelectorTolerance {
  /** Values that no label can have. */
  invalidValues: boolean;
}

/** Checks a selector in the form of `matchLabels` and `matchExpressions`. */
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

/** Checks a map whose entries are labels. */
export function validateLabels(labels: Record<string, string>, field: string): FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...errorsOfRule(field, key, qualifiedName),
    ...errorsOfRule(field, value, labelValue),
  ]);
}

/** Checks one expression of a selector. */
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

/** Checks that an expression has values where its operator needs them, and only there. */
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
