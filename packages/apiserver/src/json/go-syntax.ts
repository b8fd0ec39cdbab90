import { goQuote } from 'ots-apimachinery/go/go-quote';
import { stringifyJson } from './stringify-json.ts';
import { printTree } from './print-tree.ts';

/**
 * Formats a JSON value as Go's `%#v`.
 *
 * @param keyType Go's type of the keys of maps: values from YAML have maps of `interface {}`
 */
export function goSyntax(value: unknown, keyType: 'string' | 'interface {}' = 'string'): string {
  return printTree(value, {
    list: ['[]interface {}{', '}'],
    map: [`map[${keyType}]interface {}{`, '}'],
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
