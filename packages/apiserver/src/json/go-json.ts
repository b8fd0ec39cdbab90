import { stringifyJson } from './stringify-json.ts';
import { printTree } from './print-tree.ts';

const escaped = /[<>&\u2028\u2029]/g;

/** JSON text as Go writes it: sorted keys, and characters escaped that HTML could misread. */
export function goJson(value: unknown): string {
  return printTree(value, {
    list: ['[', ']'],
    map: ['{', '}'],
    separator: ',',
    keysOf: (object) => Object.keys(object).toSorted(),
    key: (key) => `${scalarOf(key)}:`,
    scalar: scalarOf,
  });
}

function scalarOf(value: unknown): string {
  return escapeHtml(stringifyJson(value) ?? 'null');
}

/** Escapes what HTML could misread in a JSON text, as Go does. */
export function escapeHtml(text: string): string {
  return text.replace(escaped, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
