import { labelValue, qualifiedName } from 'ots-apimachinery/names';
import type { LabelRequirement as Requirement } from 'ots-apimachinery/selectors/label-matcher';
import { parseLabelSelector } from 'ots-apimachinery/selectors/parse-label-selector';
import type { LabelRequirement, LabelSelector } from './label-selector.ts';
import { SelectorError } from './selector-error.ts';

/**
 * Returns the requirements of a selector in either form, sorted by key.
 * @throws {SelectorError} when Kubernetes would refuse it.
 */
export function labelRequirements(selector: string | LabelSelector): Requirement[] {
  const requirements = typeof selector === 'string' ? requirementsInText(selector) : requirementsIn(selector);
  return requirements.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
}

function requirementsInText(text: string): Requirement[] {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SelectorError(
      `The label selector ${JSON.stringify(text)} is not valid: ${error.message}`,
      'Write it as for kubectl -l: key=value, key!=value, key in (a,b), key notin (a,b), key, !key; joined by commas.',
    );
  }
}

function requirementsIn({ matchLabels = {}, matchExpressions = [] }: LabelSelector): Requirement[] {
  const requirements = [
    ...Object.entries(matchLabels).map(([key, value]): Requirement => ({
      key,
      operator: 'In',
      values: [value],
    })),
    ...matchExpressions.map((expression) => requirementOf(expression)),
  ];
  for (const { key, values } of requirements) {
    refuse('key', key, qualifiedName(key));
    for (const value of values) refuse('value', value, labelValue(value));
  }
  return requirements;
}

function refuse(what: 'key' | 'value', text: string, problems: readonly string[]): void {
  if (problems.length === 0) return;
  throw new SelectorError(
    `The label ${what} ${JSON.stringify(text)} is not valid: ${problems.join('; ')}`,
    'See https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#syntax-and-character-set.',
  );
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
