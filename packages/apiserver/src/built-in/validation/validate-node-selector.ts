import type {
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PreferredSchedulingTerm,
} from 'ots-kubernetes/core/v1';
import { labelValue, qualifiedName, subdomain } from 'ots-apimachinery/names';
import { type FieldError, forbidden, invalid, required } from '../../status/field-error.ts';
import { errorsOfRule } from './errors-of-rule.ts';

/** Validates a required node selector. */
export function validateNodeSelector({ nodeSelectorTerms }: NodeSelector, path: string): FieldError[] {
  const field = `${path}.nodeSelectorTerms`;
  const terms = nodeSelectorTerms ?? [];
  if (terms.length === 0) return [required(field, 'must have at least one node selector term')];
  return terms.flatMap((term, index) => validateTerm(term, `${field}[${index}]`, true));
}

/** Validates preferred node selectors, in which invalid label values are allowed. */
export function validatePreferredNodes(
  terms: readonly PreferredSchedulingTerm[],
  path: string,
): FieldError[] {
  return terms.flatMap(({ weight, preference }, index) => [
    ...validateWeight(`${path}[${index}].weight`, weight),
    ...validateTerm(preference ?? {}, `${path}[${index}].preference`, false),
  ]);
}

/** Validates the weight of a preference. */
export function validateWeight(field: string, weight: number): FieldError[] {
  return weight > 0 && weight <= 100 ? [] : [invalid(field, weight, 'must be in the range 1-100')];
}

function validateTerm(term: NodeSelectorTerm, path: string, checksValues: boolean): FieldError[] {
  return [
    ...(term.matchExpressions ?? []).flatMap((requirement, index) =>
      validateExpression(requirement, `${path}.matchExpressions[${index}]`, checksValues),
    ),
    ...(term.matchFields ?? []).flatMap((requirement, index) =>
      validateField(requirement, `${path}.matchFields[${index}]`),
    ),
  ];
}

function validateExpression(
  { key, operator, values = [] }: NodeSelectorRequirement,
  path: string,
  checksValues: boolean,
): FieldError[] {
  return [
    ...validateOperator(operator, values, path),
    ...errorsOfRule(`${path}.key`, key, qualifiedName),
    ...(checksValues
      ? values.flatMap((value, index) => errorsOfRule(`${path}.values[${index}]`, value, labelValue))
      : []),
  ];
}

function validateOperator(operator: string, values: readonly string[], path: string): FieldError[] {
  const field = `${path}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length > 0) return [];
      return [required(field, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      if (values.length === 0) return [];
      return [forbidden(field, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      if (values.length === 1) return [];
      return [required(field, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalid(`${path}.operator`, operator, 'not a valid selector operator')];
  }
}

/** Only the name of a node can be selected by field. */
function validateField({ key, operator, values = [] }: NodeSelectorRequirement, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (operator !== 'In' && operator !== 'NotIn') {
    errors.push(invalid(`${path}.operator`, operator, 'not a valid selector operator'));
  } else if (values.length !== 1) {
    errors.push(
      required(
        `${path}.values`,
        "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
      ),
    );
  }
  if (key !== 'metadata.name') {
    errors.push(invalid(`${path}.key`, key, 'not a valid field selector key'));
    return errors;
  }
  return [
    ...errors,
    ...values.flatMap((value, index) => errorsOfRule(`${path}.values[${index}]`, value, subdomain)),
  ];
}
