import { readInteger } from './exact-integer.ts';
import { isPlainNumber } from './parse-exact.ts';

/** Properties of a JSON text that a parsed value no longer shows. */
export interface JsonScan {
  /** Paths of duplicate keys, such as `data.a` or `spec.ports[0].name`. */
  duplicates: string[];
  /** The first number beyond the range of a 64-bit float, such as `1e999`. */
  hugeNumber?: string;
  /** Whether there is a number that JavaScript would write differently: `1.0`, 9007199254740993. */
  hasUnusualNumbers: boolean;
  /** Whether there is a 64-bit integer that a number would round. */
  hasLargeIntegers: boolean;
}

interface Level {
  /** The keys so far; undefined for a list. */
  keys: Set<string> | undefined;
  path: string;
  /** The current key or index. */
  at: string | number;
  awaitsKey: boolean;
}

/**
 * Scans a text that `JSON.parse` accepts. Works without recursion, so nesting cannot exhaust the stack.
 *
 * @param text valid JSON
 */
export function scanJson(text: string): JsonScan {
  const scan: JsonScan = { duplicates: [], hasUnusualNumbers: false, hasLargeIntegers: false };
  const levels: Level[] = [];
  for (let index = 0; index < text.length; index += 1) {
    const level = levels.at(-1);
    const character = text[index] ?? '';
    if (character === '"') {
      const end = endOfString(text, index);
      if (level?.awaitsKey) noteKey(level, unquote(text.slice(index, end)), scan);
      index = end - 1;
    } else if (character === '{' || character === '[') {
      levels.push(newLevel(level, character === '{'));
    } else if (character === '}' || character === ']') {
      levels.pop();
    } else if (character === ',') {
      if (level?.keys) level.awaitsKey = true;
      else if (level) level.at = Number(level.at) + 1;
    } else if (character === '-' || (character >= '0' && character <= '9')) {
      const number = /[-+.\deE]+/y;
      number.lastIndex = index;
      const literal = number.exec(text)?.[0] ?? character;
      if (!isPlainNumber(literal)) noteNumber(literal, scan);
      index += literal.length - 1;
    }
  }
  return scan;
}

function noteNumber(literal: string, scan: JsonScan): void {
  scan.hasUnusualNumbers = true;
  if (typeof readInteger(literal) === 'bigint') scan.hasLargeIntegers = true;
  if (!Number.isFinite(Number(literal))) scan.hugeNumber ??= literal;
}

function newLevel(parent: Level | undefined, isMap: boolean): Level {
  const path = parent ? pathOf(parent) : '';
  return { keys: isMap ? new Set() : undefined, path, at: isMap ? '' : 0, awaitsKey: isMap };
}

function noteKey(level: Level, key: string, scan: JsonScan): void {
  level.at = key;
  level.awaitsKey = false;
  if (level.keys?.has(key)) scan.duplicates.push(pathOf(level));
  level.keys?.add(key);
}

function pathOf(level: Level): string {
  if (!level.keys) return `${level.path}[${level.at}]`;
  return level.path === '' ? `${level.at}` : `${level.path}.${level.at}`;
}

function unquote(text: string): string {
  if (!text.includes('\\')) return text.slice(1, -1);
  const value: unknown = JSON.parse(text);
  return String(value);
}

/** The index after the closing quote of the string that starts at an index. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text[quote - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
