import { isLabelValue, isQualifiedName } from 'ots-apimachinery/names';
import { closestName } from 'ots-apimachinery/closest-name';
import type { ReportProblem, WebhookPath } from './report-problem.ts';
import type { LabelSelector } from './webhook-configuration.ts';

const operators = ['In', 'NotIn', 'Exists', 'DoesNotExist'];
const keyHint =
  'it is letters, digits, -, _ and . (at most 63), and may have a domain and a slash before them';
const valueHint = 'it is at most 63 letters, digits, -, _ and ., and begins and ends with a letter or digit';

/** Checks a label selector (ValidateLabelSelector of the API server). */
export function checkSelector(selector: LabelSelector, path: WebhookPath, report: ReportProblem): void {
  for (const [key, value] of Object.entries(selector.matchLabels ?? {})) {
    const at = [...path, 'matchLabels', key];
    if (!isQualifiedName(key)) report(at, 'is not the name of a label', keyHint);
    if (!isLabelValue(value)) report(at, `cannot be '${value}'`, valueHint);
  }
  for (const [index, expression] of (selector.matchExpressions ?? []).entries())
    checkExpression(expression, [...path, 'matchExpressions', index], report);
}

function checkExpression(
  { key, operator, values = [] }: NonNullable<LabelSelector['matchExpressions']>[number],
  path: WebhookPath,
  report: ReportProblem,
): void {
  if (key === undefined) report(path, 'has no key', 'add the name of a label: key: …');
  else if (!isQualifiedName(key)) report([...path, 'key'], `cannot be '${key}'`, keyHint);
  if (operator === undefined) {
    report(path, 'has no operator', `add operator: ${operators.join(', ')}`);
  } else if (!operators.includes(operator)) {
    const suggestion = closestName(operator, operators);
    const hint = suggestion ? `did you mean ${suggestion}?` : `it is one of ${operators.join(', ')}`;
    report([...path, 'operator'], `cannot be ${operator}`, hint);
  } else if (operator.endsWith('In') && values.length === 0) {
    report(path, `has no values for ${operator} to compare with`, 'add values: […]');
  } else if (!operator.endsWith('In') && values.length > 0) {
    report([...path, 'values'], `has no meaning for ${operator}`, 'remove it, or write In or NotIn');
  }
  for (const [index, value] of values.entries())
    if (!isLabelValue(value)) report([...path, 'values', index], `cannot have '${value}'`, valueHint);
}
