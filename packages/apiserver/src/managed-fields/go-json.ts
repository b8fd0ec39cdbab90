import { stringifyJson } from '../json/stringify-json.ts';
import { isObject } from '../objects/json-object.ts';

const escaped = /[<>&\u2028\u2029]/g;

/** JSON text as Go writes it: keys in order, and what HTML could misread escaped. */
export function goJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (!isObject(value)) return escapeHtml(stringifyJson(value) ?? 'null');
  const fields = Object.keys(value)
    .toSorted()
    .map((key) => `${goJson(key)}:${goJson(value[key])}`);
  return `{${fields.join(',')}}`;
}

function escapeHtml(text: string): string {
  return text.replace(escaped, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
