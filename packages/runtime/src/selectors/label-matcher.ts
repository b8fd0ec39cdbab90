import type { LabelSelector } from './label-selector.ts';
import { labelRequirements } from './label-requirements.ts';
import { wholeNumber } from './parse-label-selector.ts';
import type { Requirement } from './requirement.ts';

/** True when the labels, undefined for none, meet a selector. */
export type LabelMatcher = (labels: Readonly<Record<string, string>> | undefined) => boolean;

/**
 * Prepares a selector, written either way, for testing the labels of many objects.
 * @throws {SelectorError} when Kubernetes would refuse the selector.
 */
export function labelMatcher(selector: string | LabelSelector): LabelMatcher {
  const requirements = labelRequirements(selector);
  return (labels) => requirements.every((requirement) => meets(requirement, labels));
}

function meets(
  { key, operator, values }: Requirement,
  labels: Readonly<Record<string, string>> = {},
): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    default:
      return value !== undefined && compares(operator, value, values[0]!);
  }
}

function compares(operator: 'Gt' | 'Lt', value: string, bound: string): boolean {
  const number = wholeNumber(value);
  if (number === undefined) return false;
  return operator === 'Gt' ? number > wholeNumber(bound)! : number < wholeNumber(bound)!;
}
