import { stringifyJson } from './stringify-json.ts';
import { printTree } from './print-tree.ts';
import { goQuote } from 'ots-cel/go-quote';

/** Formats a JSON value as Go's `%#v`. */
export function goSyntax(value: unknown): string {
  return printTree(value, {
    list: ['[]interface {}{', '}'],
    map: ['map[string]interface {}{', '}'],
    separator: ', ',
    keysOf: (object) => Object.keys(object).toSorted(),
    key: (key) => `${goQuote(key)}:`,
    scalar: scalarOf,
  });
}

function scalarOf(value: unknown): string {
  if (value === null || value === undefined) return 'interface {}(nil)';
  return typeof value === 'string' ? goQuote(value) : stringifyJson(value);
}
