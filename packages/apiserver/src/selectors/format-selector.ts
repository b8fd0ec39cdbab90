import { type JsonObject, getKey } from '../json/json-object.ts';
import { listAt, objectAt, textAt } from '../json/value-at.ts';

/** Labels as `a=b,c=d`, sorted. */
export function formatLabels(labels: JsonObject): string {
  return (
    equalities(labels)
      .map(({ text }) => text)
      .join(',') || '<none>'
  );
}

/** A label selector in query syntax, sorted by key; empty where everything or nothing is selected. */
export function formatSelector(selector: unknown): string {
  const expressions = listAt(selector, 'matchExpressions').map((expression) => ({
    key: textAt(expression, 'key'),
    text: formatExpression(expression),
  }));
  return [...equalities(objectAt(selector, 'matchLabels')), ...expressions]
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))
    .map(({ text }) => text)
    .join(',');
}

function equalities(labels: JsonObject): { key: string; text: string }[] {
  return Object.keys(labels)
    .toSorted()
    .map((key) => ({ key, text: `${key}=${String(getKey(labels, key))}` }));
}

function formatExpression(expression: unknown): string {
  const key = textAt(expression, 'key');
  const operator = textAt(expression, 'operator');
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  const values = listAt(expression, 'values').map(String).toSorted();
  return `${key} ${operator === 'NotIn' ? 'notin' : 'in'} (${values.join(',')})`;
}
