import type { RawArgument } from './parse-arguments.ts';

type Read = { arguments: RawArgument[] } | { message: string; at: number };

const argumentStart = /[\s,]*([A-Za-z]\w*)\s*:?=/y;
/** Matches where a new argument begins: blanks or a comma, a name, an equals sign. */
const nextArgument = /(?:\s*,\s*|\s+)[A-Za-z]\w*\s*:?=(?!=)/y;

/** Reads `key=value key="a b",other={x,y}`. A value without quotes extends to the next key. */
export function readPairArguments(text: string): Read {
  const found: RawArgument[] = [];
  let at = 0;
  while (at < text.length) {
    argumentStart.lastIndex = at;
    const key = argumentStart.exec(text);
    if (!key) return { message: 'expected key=value', at };
    const start = argumentStart.lastIndex;
    const end = endOfValue(text, start);
    if (end === undefined) return { message: 'unclosed quotes', at: start };
    const from = at + (key[0].length - key[0].replace(/^[\s,]+/, '').length);
    const written = text.slice(start, end);
    const valueAt = start + (written.length - written.trimStart().length);
    const value = unquote(written.trim());
    found.push({ name: key[1]!, value, text: written.trim(), at: valueAt, from, to: end });
    at = end;
  }
  return { arguments: found };
}

function endOfValue(text: string, start: number): number | undefined {
  // A quote within a bare value (a JSONPath filter) is part of it. Only a quote that opens the value or a
  // list item delimits.
  let opening = true;
  for (let i = start; i < text.length; i++) {
    const char = text[i]!;
    const blank = /\s/.test(char);
    if ((char === ',' || blank) && !/\s/.test(text[i - 1]!)) {
      nextArgument.lastIndex = i;
      if (nextArgument.test(text)) return i;
    }
    if (opening && /["'`]/.test(char)) {
      const close = closingQuote(text, i);
      if (close === undefined) return undefined;
      i = close;
    }
    if (!blank) opening = /[;{,]/.test(char);
  }
  return text.length;
}

function closingQuote(text: string, open: number): number | undefined {
  for (let i = open + 1; i < text.length; i++) {
    if (text[i] === '\\' && text[open] === '"') i++;
    else if (text[i] === text[open]) return i;
  }
  return undefined;
}

function unquote(value: string): string | string[] {
  if (value.startsWith('{') && value.endsWith('}'))
    return splitItems(value.slice(1, -1), /[,;]/).map(unquoteItem);
  const items = splitItems(value, /;/);
  return items.length > 1 ? items.map(unquoteItem) : unquoteItem(value);
}

/** Splits at separators outside quotes. */
function splitItems(value: string, separator: RegExp): string[] {
  const items: string[] = [];
  let from = 0;
  for (let i = 0; i < value.length; i++) {
    const opens = i === from && /["'`]/.test(value[i]!);
    if (opens) i = closingQuote(value, i) ?? i;
    else if (separator.test(value[i]!)) {
      items.push(value.slice(from, i).trim());
      from = i + 1;
    }
  }
  return [...items, value.slice(from).trim()];
}

function unquoteItem(item: string): string {
  const quote = item[0];
  if (item.length < 2 || item.at(-1) !== quote) return item;
  if (quote === "'" || quote === '`') return item.slice(1, -1);
  if (quote !== '"') return item;
  return item
    .slice(1, -1)
    .replaceAll(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char));
}
