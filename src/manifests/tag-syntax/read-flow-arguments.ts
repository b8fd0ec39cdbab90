import { isMap, isNode, isScalar, isSeq, parseDocument } from 'yaml';
import { isYamlTooDeep } from '../source/yaml-nesting.ts';
import type { RawArgument } from './parse-arguments.ts';

type Read = { arguments: RawArgument[] } | { message: string; at: number };

/** Reads `{key: value, list: [a, b]}`. */
export function readFlowArguments(text: string): Read {
  if (isYamlTooDeep(text)) return { message: 'the value is nested too deeply', at: 0 };
  const document = parseDocument(text, { logLevel: 'silent' });
  const [error] = document.errors;
  if (error) {
    const message = error.message.split('\n', 1)[0]!.replace(/ at line \d+, column \d+:?$/, '');
    return { message, at: error.pos[0] };
  }
  if (!isMap(document.contents)) return { message: 'expected {key: value}', at: 0 };
  const found: RawArgument[] = [];
  for (const { key, value } of document.contents.items) {
    const from = rangeOf(key)?.[0] ?? 0;
    const name = scalarText(key);
    const range = rangeOf(value);
    if (name === undefined || !range) return { message: 'expected key: value', at: from };
    const [at, to] = range;
    found.push({ name, value: plainValue(value), text: text.slice(at, to), at, from, to });
  }
  return { arguments: found };
}

function rangeOf(node: unknown): readonly [number, number, number] | undefined {
  return isNode(node) ? (node.range ?? undefined) : undefined;
}

/** @returns undefined for a value that nests */
function plainValue(node: unknown): string | string[] | undefined {
  if (!isSeq(node)) return scalarText(node);
  const items = node.items.map(scalarText).filter((item) => item !== undefined);
  return items.length === node.items.length ? items : undefined;
}

/** Returns a scalar as written: `1.10` stays `1.10`. */
function scalarText(node: unknown): string | undefined {
  if (!isScalar(node)) return undefined;
  return typeof node.value === 'string' ? node.value : node.source;
}
