import { checkLabelKey, checkLabelValue } from './label-syntax.ts';
import type { LabelRequirement, LabelSelector } from './label-selector.ts';
import { parseLabelSelector } from './parse-label-selector.ts';
import type { Requirement } from './requirement.ts';
import { SelectorError } from './selector-error.ts';

/**
 * The conditions of a selector, written either way.
 * @throws {SelectorError} when Kubernetes would refuse it.
 */
export function labelRequirements(selector: string | LabelSelector): Requirement[] {
  if (typeof selector === 'string') return parseLabelSelector(selector);
  const requirements = [
    ...Object.entries(selector.matchLabels ?? {}).map(([key, value]): Requirement => ({
      key,
      operator: 'In',
      values: [value],
    })),
    ...(selector.matchExpressions ?? []).map((expression) => requirementOf(expression)),
  ];
  for (const { key, values } of requirements) {
    checkLabelKey(key);
    for (const value of values) checkLabelValue(value);
  }
  return requirements.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
}

const operators: ReadonlySet<string> = new Set(['In', 'NotIn', 'Exists', 'DoesNotExist']);

function requirementOf({ key, operator, values = [] }: LabelRequirement): Requirement {
  if (!operators.has(operator)) {
    throw new SelectorError(
      `The operator ${JSON.stringify(operator)} for the label ${key} does not exist`,
      `Use ${[...operators].join(', ')}.`,
    );
  }
  const takesValues = operator === 'In' || operator === 'NotIn';
  if (takesValues !== values.length > 0) {
    throw new SelectorError(
      `The operator ${operator} for the label ${key} ${takesValues ? 'has no' : 'has'} values`,
      'In and NotIn take one value or more; Exists and DoesNotExist take none.',
    );
  }
  return { key, operator, values: [...new Set(values)].toSorted() };
}
