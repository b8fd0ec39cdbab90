import { decodeYaml } from 'ots-apiserver/decoding';
import { isDeeperThan } from './json.ts';

/** Deeper values are refused: what reads them recurses, and no manifest is nested so deep. */
const maxDepth = 500;

/** A document that was read, or what is wrong with it. */
export type Reading = { readonly value: unknown } | { readonly problem: string; readonly line?: number };

/**
 * Reads the first document of a file in YAML 1.1 or JSON, as the Operator Framework does: `y` is a boolean, later documents do not
 * count, and a comment before the first `---` is a document by itself, which is empty.
 *
 * @returns the value, null for an empty document; a problem for an empty file and for what cannot be read
 */
export function readFirstDocument(text: string): Reading {
  if (text === '') return { problem: 'the file is empty' };
  try {
    const { value } = decodeYaml(firstDocumentOf(text));
    if (isDeeperThan(value, maxDepth)) return { problem: `values are nested deeper than ${maxDepth} levels` };
    return { value };
  } catch (error) {
    return problemOf(error);
  }
}

function problemOf(error: unknown): Reading {
  if (error instanceof RangeError) return { problem: 'values are nested too deep' };
  if (!(error instanceof SyntaxError)) throw error;
  const [, line, rest] = /^yaml: line (\d+): ([^]*)$/.exec(error.message) ?? [];
  if (line === undefined) return { problem: `it is not YAML: ${error.message.replace(/^yaml: /, '')}` };
  return { problem: `it is not YAML: ${rest?.trim().split('\n')[0]}`, line: Number(line) };
}

/** The lines before the second separator. A separator that is the first line belongs to the document after it. */
export function firstDocumentOf(text: string): string {
  const separator = /^---[^\S\n]*$/gm;
  separator.lastIndex = 1;
  const end = separator.exec(text)?.index;
  return end === undefined ? text : text.slice(0, end);
}
