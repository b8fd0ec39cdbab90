import { isMap, isScalar, isSeq, parseDocument } from 'yaml';
import type { RawArgument } from './parse-arguments.ts';

type Read = { arguments: RawArgument[] } | { message: string; at: number };

/** Reads `{key: value, list: [a, b]}`. */
export function readFlowArguments(text: string): Read {
  let document: ReturnType<typeof parseDocument>;
  try {
    document = parseDocument(text, { logLevel: 'silent' });
  } catch {
    return { message: 'the value nests too deeply', at: 0 };
  }
  const [error] = document.errors;
  if (error) {
    const message = error.message.split('\n', 1)[0]!.replace(/ at line \d+, column \d+:?$/, '');
    return { message, at: error.pos[0] };
  }
  if (!isMap(document.contents)) return { message: 'expected {key: value}', at: 0 };
  const found: RawArgument[] = [];
  for (const { key, value } of document.contents.items) {
    const from = startOf(key);
    const name = scalarText(key);
    const read = isSeq(value) ? value.items.map(scalarText) : scalarText(value);
    if (name === undefined || read === undefined) return notPlain(from);
    const items = typeof read === 'string' ? [] : read.filter((item) => item !== undefined);
    if (typeof read !== 'string' && items.length < read.length) return notPlain(from);
    found.push({ name, value: typeof read === 'string' ? read : items, from, to: endOf(value) });
  }
  return { arguments: found };
}

function notPlain(at: number): Read {
  return { message: 'expected a plain value or a list of plain values', at };
}

function startOf(node: unknown): number {
  return (isScalar(node) && node.range?.[0]) || 0;
}

function endOf(node: unknown): number {
  return ((isScalar(node) || isSeq(node)) && node.range?.[1]) || 0;
}

/** A scalar as it is written: `1.10` stays `1.10`. */
function scalarText(node: unknown): string | undefined {
  if (!isScalar(node)) return undefined;
  return typeof node.value === 'string' ? node.value : node.source;
}
