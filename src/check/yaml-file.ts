import { type Document, LineCounter, isNode, isPair, isScalar, parseAllDocuments } from 'yaml';
import { isYamlTooDeep } from '../manifests/source/yaml-nesting.ts';
import type { Place } from './finding.ts';

/** Twice what a cluster stores as one object. The parser would need seconds for more. */
const maxLength = 3 * 1024 * 1024;

/** A file that cannot be used, and why. */
export class YamlError extends Error {
  override readonly name = 'YamlError';
  readonly line: number;
  readonly column: number;

  constructor(message: string, { line, col }: { line: number; col: number } = { line: 1, col: 1 }) {
    super(message);
    this.line = line;
    this.column = col;
  }
}

/** Says why a file cannot be a manifest, before a parser reads it. Undefined if it can. */
export function problemOfText(text: string): string | undefined {
  if (text.length > maxLength) return `is larger than ${maxLength / 1024 / 1024} MiB`;
  if (/[\0\uFFFD]/.test(text)) return 'is not UTF-8 text';
  return isYamlTooDeep(text) ? 'is nested too deeply' : undefined;
}

/** The documents of a YAML file, and where their values are. */
export class YamlFile {
  readonly path: string;
  /** The values of the documents; null for an empty one. */
  readonly values: readonly unknown[];
  readonly #documents: readonly Document[];
  readonly #lines = new LineCounter();

  /**
   * @param path project-relative
   * @throws YamlError if the text cannot be parsed
   */
  constructor(path: string, text: string) {
    const problem = problemOfText(text);
    if (problem !== undefined) throw new YamlError(problem);
    const options = { lineCounter: this.#lines, merge: true, logLevel: 'silent' } as const;
    const documents = parseAllDocuments(text, options);
    this.path = path;
    this.#documents = Array.isArray(documents) ? documents : [];
    this.values = this.#documents.map((document) => {
      const [error] = document.errors;
      if (error) throw new YamlError(`is not valid YAML: ${firstLine(error.message)}`, error.linePos?.[0]);
      try {
        return document.toJS() as unknown;
      } catch {
        throw new YamlError('has too many aliases');
      }
    });
  }

  /**
   * The place of a value, or of the nearest value around it that exists.
   *
   * @param document from 0
   * @param path the keys and indexes that lead to the value
   */
  at(document: number, path: readonly (string | number)[]): Place {
    const found = this.#documents[document];
    if (!found) return { file: this.path, line: 1 };
    for (let count = path.length; count >= 0; count -= 1) {
      const offset = offsetOf(found, path.slice(0, count));
      if (offset === undefined) continue;
      const { line, col } = this.#lines.linePos(offset);
      return { file: this.path, line, column: col };
    }
    return { file: this.path, line: 1 };
  }
}

/** Of the key for a value in a map, because that is where an author looks. */
function offsetOf(document: Document, path: readonly (string | number)[]): number | undefined {
  if (path.length === 0) return isNode(document.contents) ? document.contents.range?.[0] : undefined;
  const last = path.at(-1);
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true);
  if (typeof last === 'string' && isNode(parent) && 'items' in parent) {
    const pair = parent.items.find((item) => isPair(item) && isScalar(item.key) && item.key.value === last);
    if (isPair(pair) && isNode(pair.key)) return pair.key.range?.[0];
  }
  const node = document.getIn(path, true);
  return isNode(node) ? node.range?.[0] : undefined;
}

function firstLine(text: string): string {
  return text.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, '');
}
