import { decodeYaml } from 'ots-apiserver/decoding';
import { isDeeperThan } from '../bundle/json.ts';

/** Deeper values are refused: what reads them recurses, and no catalog is nested so deep. */
const maxDepth = 500;

/** Not allowed in YAML. */
const controlCharacter = /(?![\t\u0085])\p{Cc}/u;

/** A document of a file: a value, or what is wrong with it. */
export type CatalogDocument =
  | { readonly value: unknown; readonly line: number }
  | { readonly problem: string; readonly line: number };

/**
 * Reads the documents of a file, as opm does: a file that starts with `{` is JSON values in a row, and YAML from the first or second
 * value on that is not JSON; any other file is YAML 1.1. A part between separators that has only blanks or comments is a document: null.
 */
export function readDocuments(text: string): CatalogDocument[] {
  return /^\s*\{/.test(text) ? readJsonStream(text) : readYamlStream(text, 1);
}

function readJsonStream(text: string): CatalogDocument[] {
  const documents: CatalogDocument[] = [];
  const lines = new LineCounter(text);
  let at = 0;
  for (;;) {
    const start = at + /^[ \t\r\n]*/.exec(text.slice(at, at + 65_536))![0].length;
    // A longer run of blanks is skipped in steps.
    if (start - at === 65_536) {
      at = start;
      continue;
    }
    if (start === text.length) return documents;
    const line = lines.at(start);
    const end = endOfValue(text, start);
    const document = jsonDocument(text.slice(start, end), line);
    if ('value' in document) documents.push(document);
    else if (documents.length > 1) return [...documents, document];
    else return [...documents, ...readRest(text, at, lines, document)];
    at = end;
  }
}

/** What follows the first value or two may be YAML. If that is wrong, too, the file is JSON. */
function readRest(
  text: string,
  from: number,
  lines: LineCounter,
  asJson: CatalogDocument,
): CatalogDocument[] {
  const start = from + /^[^\S\n]*\n?/.exec(text.slice(from))![0].length;
  const asYaml = readYamlStream(text.slice(start), lines.at(start));
  return asYaml.some((document) => 'problem' in document) ? [asJson] : asYaml;
}

function jsonDocument(text: string, line: number): CatalogDocument {
  const document = documentOf((): unknown => JSON.parse(text), line);
  if ('value' in document) return document;
  const [before, position] = / (?:in JSON )?at position (\d+)/.exec(document.problem) ?? [];
  if (before === undefined) return document;
  const problem = document.problem.slice(0, document.problem.indexOf(before));
  return { problem, line: line + text.slice(0, Number(position)).split('\n').length - 1 };
}

/** The end of the JSON value at a position, if it is well-formed. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  const token = /"(?:[^"\\]|\\[^])*"|[{}[\]]|[^\s{}[\]",:]+|[,:]/g;
  token.lastIndex = start;
  for (let match = token.exec(text); match; match = token.exec(text)) {
    if (match[0] === '{' || match[0] === '[') depth += 1;
    else if (match[0] === '}' || match[0] === ']') depth -= 1;
    if (depth <= 0) return token.lastIndex;
  }
  return text.length;
}

function readYamlStream(text: string, firstLine: number): CatalogDocument[] {
  const documents: CatalogDocument[] = [];
  let part: string[] = [];
  let partLine = firstLine;
  const flush = () => {
    if (part.length > 0) documents.push(yamlDocument(part, partLine));
    part = [];
  };
  for (const [index, line] of linesOf(text).entries()) {
    const isSeparator = line.startsWith('---');
    if (isSeparator && !/^---\s*(?:#|$)/.test(line)) {
      flush();
      const problem = 'a separator of documents is --- alone in its line';
      return [...documents, { problem, line: firstLine + index }];
    }
    if (isSeparator && part.length > 0) {
      flush();
      continue;
    }
    if (part.length === 0) partLine = firstLine + index;
    part.push(isSeparator ? '' : line);
  }
  flush();
  return documents;
}

function linesOf(text: string): string[] {
  if (text === '') return [];
  const lines = text.replace(/^\u{feff}/u, '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}

function yamlDocument(part: readonly string[], partLine: number): CatalogDocument {
  const control = part.findIndex((line) => controlCharacter.test(line));
  if (control !== -1) return { problem: 'it has a control character', line: partLine + control };
  const blanks = part.findIndex((line) => !/^\s*(?:#.*)?$/.test(line));
  const document = documentOf(() => decodeYaml(part.join('\n')).value, partLine + Math.max(blanks, 0));
  const [, line, problem] = ('problem' in document && /^line (\d+): (.*)$/.exec(document.problem)) || [];
  return problem === undefined ? document : { problem, line: partLine + Number(line) - 1 };
}

function documentOf(read: () => unknown, line: number): CatalogDocument {
  try {
    const value = read();
    if (isDeeperThan(value, maxDepth))
      return { problem: `it is nested deeper than ${maxDepth} levels`, line };
    return { value, line };
  } catch (error) {
    if (error instanceof RangeError) return { problem: 'it is nested too deep', line };
    if (!(error instanceof SyntaxError)) throw error;
    return {
      problem: error.message
        .replace(/^yaml: /, '')
        .split('\n')[0]!
        .trim(),
      line,
    };
  }
}

/** Counts lines up to positions that only grow. */
class LineCounter {
  readonly #text: string;
  #at = 0;
  #line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  at(position: number): number {
    for (;;) {
      const next = this.#text.indexOf('\n', this.#at);
      if (next === -1 || next >= position) return this.#line;
      this.#at = next + 1;
      this.#line += 1;
    }
  }
}
