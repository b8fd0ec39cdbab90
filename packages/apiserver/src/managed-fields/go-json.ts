import { isObject } from '../objects/json-object.ts';

const escaped = /[<>&\u2028\u2029]/g;

/** JSON text as Go writes it: keys in order, and what HTML could misread escaped. */
export function goJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goJson).join(',')}]`;
  if (!isObject(value)) return escapeHtml(JSON.stringify(value) ?? 'null');
  const fields = Object.keys(value)
    .toSorted()
    .map((key) => `${goJson(key)}:${goJson(value[key])}`);
  return `{${fields.join(',')}}`;
}

/** A text as Go's `%q` shows it. */
export function goQuote(text: string): string {
  return JSON.stringify(text).replace(
    /\\(?:u00([0-9a-f]{2})|.)|\x7f/g,
    (match: string, code: string | undefined) => {
      if (match === '\x7f') return String.raw`\x7f`;
      if (code === undefined) return match;
      if (code === '07') return String.raw`\a`;
      return code === '0b' ? String.raw`\v` : String.raw`\x${code}`;
    },
  );
}

function escapeHtml(text: string): string {
  return text.replace(escaped, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
