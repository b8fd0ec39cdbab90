import { scanQuoted } from './scan-quoted.ts';
import type { ScanProblem } from './scan-quoted.ts';

/** An argument of a rule that can map its characters back to the tag's value. */
export interface RuleArgument {
  readonly name: string;
  readonly value: string;
  /** Where each UTF-16 unit of the value is written, followed by where the value ends. */
  readonly positions: readonly number[];
  /** Where the argument begins, including its name. */
  readonly from: number;
  readonly to: number;
}

const argumentStart = /[\s,]*([A-Za-z]\w*)\s*(?::=|[:=](?!=))/y;

/**
 * Reads `{rule: "…", message: "…"}` or `rule="…",message="…"`. A value without quotes extends to the next
 * argument.
 * @param names the known arguments, which show where a value without quotes ends
 */
export function readRuleArguments(text: string, names: readonly string[]): RuleArgument[] | ScanProblem {
  const braces = text.startsWith('{');
  if (braces && !text.endsWith('}')) return { message: 'a } is missing', at: 0 };
  const limit = text.length - (braces ? 1 : 0);
  const next = new RegExp(`,\\s*(?:${names.join('|')})\\s*[:=](?!=)`, 'iy');
  const found: RuleArgument[] = [];
  let at = braces ? 1 : 0;
  while (/[^\s,]/.test(text.slice(at, limit))) {
    argumentStart.lastIndex = at;
    const name = argumentStart.exec(text);
    if (!name) return { message: 'expected the name of an argument', at: at + leading(text, at) };
    const start = argumentStart.lastIndex + leading(text, argumentStart.lastIndex);
    const value = /["'`]/.test(text[start] ?? '')
      ? scanQuoted(text, start)
      : scanBare(text, start, limit, next);
    if ('message' in value) return value;
    if (!/^\s*(?:,|$)/.test(text.slice(value.end, limit)))
      return { message: 'expected a comma', at: value.end + leading(text, value.end) };
    const from = at + /^[\s,]*/.exec(text.slice(at))![0].length;
    found.push({ name: name[1]!, value: value.value, positions: value.positions, from, to: value.end });
    at = value.end;
  }
  return found;
}

function leading(text: string, from: number): number {
  return /^\s*/.exec(text.slice(from))![0].length;
}

function scanBare(text: string, start: number, limit: number, next: RegExp) {
  let end = start;
  for (; end < limit; end++) {
    next.lastIndex = end;
    if (text[end] === ',' && next.test(text)) break;
  }
  const value = text.slice(start, end).trimEnd();
  const positions = Array.from({ length: value.length + 1 }, (_, index) => start + index);
  return { value, positions, end };
}
