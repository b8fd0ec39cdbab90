import { type JsonObject, isObject } from './json-object.ts';

/** How a JSON value is written: as JSON, or as Go prints values. */
export interface TreeStyle {
  readonly list: readonly [open: string, close: string];
  readonly map: readonly [open: string, close: string];
  /** The text between two items. */
  readonly separator: string;
  /** The keys of a map to write, in order. */
  readonly keysOf: (object: JsonObject) => string[];
  /** A key with the text between it and its value. */
  readonly key: (key: string) => string;
  readonly scalar: (value: unknown) => string;
  /** Spaces of indentation per level. Default 0: everything on one line. */
  readonly indent?: number;
}

/** A value that is not written yet. */
interface Unwritten {
  readonly value: unknown;
  readonly depth: number;
}

/** Writes a JSON value. Works without recursion, so nesting cannot exhaust the stack. */
export function printTree(value: unknown, style: TreeStyle): string {
  let text = '';
  // The last one comes next: the items of a container are pushed in reverse.
  const waiting: (string | Unwritten)[] = [{ value, depth: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (typeof next === 'string') text += next;
    else if (Array.isArray(next.value)) putList(waiting, next.value, next.depth, style);
    else if (isObject(next.value)) putMap(waiting, next.value, next.depth, style);
    else text += style.scalar(next.value);
  }
  return text;
}

function putList(
  waiting: (string | Unwritten)[],
  list: readonly unknown[],
  depth: number,
  { list: [open, close], separator, indent = 0 }: TreeStyle,
): void {
  if (list.length === 0) return void waiting.push(open + close);
  const inner = margin(indent, depth + 1);
  waiting.push(margin(indent, depth) + close);
  for (let index = list.length - 1; index >= 0; index -= 1)
    waiting.push({ value: list[index], depth: depth + 1 }, (index === 0 ? open : separator) + inner);
}

function putMap(
  waiting: (string | Unwritten)[],
  map: JsonObject,
  depth: number,
  { map: [open, close], separator, indent = 0, keysOf, key: keyOf }: TreeStyle,
): void {
  const keys = keysOf(map);
  if (keys.length === 0) return void waiting.push(open + close);
  const inner = margin(indent, depth + 1);
  waiting.push(margin(indent, depth) + close);
  const first = keys[0];
  for (const key of keys.toReversed()) {
    const start = (key === first ? open : separator) + inner + keyOf(key);
    waiting.push({ value: map[key], depth: depth + 1 }, start);
  }
}

function margin(indent: number, depth: number): string {
  return indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`;
}
