import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  type Pair,
  type YAMLSeq,
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  stringify,
} from 'yaml';
import { OtsError } from '../../errors/ots-error.ts';
import { lineEndingOf } from './line-ending.ts';

/** An entry of a list: text, or a map such as `{ path: patch.yaml, target: { kind: Deployment } }`. */
export type YamlListItem = string | YamlMap;

interface YamlMap {
  readonly [key: string]: string | readonly string[] | YamlMap;
}

/**
 * Adds the entries that a top-level list of a YAML file lacks. Changes the file only there: comments, quotes, order, indentation
 * and line endings stay.
 *
 * @param path names the file in errors
 * @param key key of the list; a missing key is added at the end of the file
 * @throws OtsError `INVALID_YAML` with line and column if the file cannot be parsed
 */
export function addToYamlList(
  text: string,
  path: string,
  key: string,
  items: readonly YamlListItem[],
): string {
  const document = parse(text, path);
  const pair = isMap(document.contents)
    ? document.contents.items.find((candidate) => isScalar(candidate.key) && candidate.key.value === key)
    : undefined;
  const eol = lineEndingOf(text);
  if (!pair) {
    const gap = text === '' || text.endsWith('\n') ? '' : eol;
    return `${text}${gap}${key}:${eol}${render(items, '  ', eol)}`;
  }
  const list = pair.value;
  if (isSeq(list) && list.items.length > 0) {
    const existing = list.toJSON();
    const missing = items.filter((item) => !existing.some((known) => isDeepStrictEqual(known, item)));
    return missing.length === 0 ? text : addToList(text, list, missing, eol);
  }
  if (isSeq(list) || (isScalar(list) && list.value === null) || list === null)
    return fillEmptyList(text, pair, items, eol);
  throw new OtsError('INVALID_YAML', `${path}: ${key} is not a list`, {
    hint: `Make ${key} a list and run the command again.`,
  });
}

function parse(text: string, path: string): Document.Parsed {
  const document = parseDocument(text);
  const [error] = document.errors;
  if (error) {
    const { line, col } = error.linePos?.[0] ?? { line: 1, col: 1 };
    throw new OtsError('INVALID_YAML', `${path}:${line}:${col}: ${error.message.split('\n')[0]}`, {
      hint: `Correct ${path} and run the command again.`,
    });
  }
  return document;
}

function addToList(text: string, list: YAMLSeq, items: readonly YamlListItem[], eol: string): string {
  const [start, end] = list.range as [number, number, number];
  const last = list.items.at(-1) as { range: [number, number, number] };
  if (list.flow) return addToFlowList(text, last.range, end, items.map(inline), eol);
  const indent = ' '.repeat(start - (text.lastIndexOf('\n', start - 1) + 1));
  // The range of a map extends into the next line.
  const lastLine = text.slice(0, last.range[1]).trimEnd().length;
  return insertAfterLine(text, lastLine, render(items, indent, eol), eol);
}

/** @param end the offset after the closing bracket of the list */
function addToFlowList(
  text: string,
  [lastStart, lastEnd]: [number, number, number],
  end: number,
  items: readonly string[],
  eol: string,
): string {
  const between = text.slice(lastEnd, end - 1);
  const comma = between.trimStart().startsWith(',') ? '' : ',';
  const said = between.trimEnd();
  const space = between.slice(said.length);
  const before = `${text.slice(0, lastEnd)}${comma}${said}`;
  const after = `${space}${text.slice(end - 1)}`;
  if (!space.includes('\n')) return `${before} ${items.join(', ')}${after}`;
  // The line may end with a comment, so the entry gets its own line.
  const line = text.slice(text.lastIndexOf('\n', lastStart) + 1, lastStart);
  const indent = line.slice(0, line.length - line.trimStart().length);
  return `${before}${items.map((item) => `${eol}${indent}${item}`).join(',')}${after}`;
}

/** Turns `key: []` and `key:` into a list of the entries. */
function fillEmptyList(text: string, pair: Pair, items: readonly YamlListItem[], eol: string): string {
  const key = pair.key as { range: [number, number, number] };
  const colon = text.indexOf(':', key.range[1]) + 1;
  const value = pair.value as YAMLSeq | null;
  const isEmptyFlow = isSeq(value) && value.range;
  const end = isEmptyFlow ? (value.range as [number, number, number])[1] : colon;
  return insertAfterLine(`${text.slice(0, colon)}${text.slice(end)}`, colon, render(items, '  ', eol), eol);
}

function insertAfterLine(text: string, offset: number, lines: string, eol: string): string {
  const newline = text.indexOf('\n', offset);
  if (newline >= 0) return text.slice(0, newline + 1) + lines + text.slice(newline + 1);
  // The last line has no line ending and does not get one.
  return text + eol + lines.slice(0, -eol.length);
}

function render(items: readonly YamlListItem[], indent: string, eol: string): string {
  return items.map((item) => renderItem(item, indent, eol)).join('');
}

function renderItem(item: YamlListItem, indent: string, eol: string): string {
  const [first, ...rest] = stringify(item, { lineWidth: 0 }).trimEnd().split('\n');
  return [`${indent}- ${first}`, ...rest.map((line) => `${indent}  ${line}`)]
    .map((line) => line + eol)
    .join('');
}

function inline(item: YamlListItem): string {
  return stringify(item, { collectionStyle: 'flow', lineWidth: 0 }).trimEnd();
}
