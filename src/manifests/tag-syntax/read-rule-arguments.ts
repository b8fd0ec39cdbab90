import { scanQuoted } from './scan-quoted.ts';
import type { ScanProblem } from './scan-quoted.ts';

/** An argument of a rule, whose characters can be found again in the tag's value. */
export interface RuleArgument {
  readonly name: string;
  readonly value: string;
  /** For each UTF-16 unit of the value where it is written, and at last where the value ends. */
  readonly positions: readonly number[];
  /** Where the argument is, with its name. */
  readonly from: number;
  readonly to: number;
}

const namePattern = /[\s,]*([A-Za-z]\w*)\s*(?::=|[:=](?!=))/y;

/**
 * Reads `{rule: "…", message: "…"}` or `rule="…",message="…"`. A value without quotes runs to the next argument.
 * @param names the arguments there are, which tell where a value without quotes ends
 */
export function readRuleArguments(text: string, names: readonly string[]): RuleArgument[] | ScanProblem {
  const braces = text.startsWith('{');
  if (braces && !text.endsWith('}')) return { message: 'a } is missing', at: 0 };
  const limit = text.length - (braces ? 1 : 0);
  const next = new RegExp(`,\\s*(?:${names.join('|')})\\s*[:=](?!=)`, 'iy');
  const found: RuleArgument[] = [];
  let at = braces ? 1 : 0;
  while (/[^\s,]/.test(text.slice(at, limit))) {
    namePattern.lastIndex = at;
    const name = namePattern.exec(text);
    if (!name) return { message: 'expected the name of an argument', at: at + leading(text, at) };
    const start = namePattern.lastIndex + leading(text, namePattern.lastIndex);
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
