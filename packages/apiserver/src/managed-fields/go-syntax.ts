import { stringifyJson } from '../json/stringify-json.ts';
import { isObject } from '../objects/json-object.ts';
import { goQuote } from 'ots-cel/go-quote';

/** A JSON value as Go's `%#v` prints it. */
export function goSyntax(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  if (!isObject(value)) return stringifyJson(value);
  const fields = Object.keys(value)
    .toSorted()
    .map((key) => `${goQuote(key)}:${goSyntax(value[key])}`);
  return `map[string]interface {}{${fields.join(', ')}}`;
}
