import { type Document, type Pair, isCollection, isMap, isNode, isSeq, stringify, visit } from 'yaml';

/** The layout of a YAML file, so additions look like the rest. */
export class YamlStyle {
  readonly eol: '\n' | '\r\n';
  /** Indentation of a map relative to its key, in columns. */
  readonly #indent: number;
  /** Whether lists are indented too, or their dashes are below the first letter of the key. */
  readonly #indentSeq: boolean;
  readonly #text: string;

  constructor(text: string, document: Document.Parsed) {
    this.#text = text;
    this.eol = /\r?\n/.exec(text)?.[0] === '\r\n' ? '\r\n' : '\n';
    let indent: number | undefined;
    let dash: number | undefined;
    visit(document, {
      Pair: (_key, pair) => {
        const [key, value] = [pair.key, pair.value];
        if (!isNode(key) || !isCollection(value) || value.flow || !key.range || !value.range) return;
        const offset = this.column(value.range[0]) - this.column(key.range[0]);
        if (isMap(value)) indent ??= offset;
        if (isSeq(value)) dash ??= offset;
      },
    });
    this.#indent = indent ?? 2;
    this.#indentSeq = (dash ?? 0) > 0;
  }

  /** The column of an offset, from 0; a byte order mark does not count. */
  column(offset: number): number {
    const start = this.#text.lastIndexOf('\n', offset - 1) + 1;
    return offset - Math.max(start, this.#text.startsWith('\uFEFF') ? 1 : 0);
  }

  /** The lines of a value in block style, the first one without its indentation. */
  block(value: unknown, column: number): string {
    const lines = stringify(value, {
      indent: this.#indent,
      indentSeq: this.#indentSeq,
      lineWidth: 0,
      version: '1.2',
    })
      .trimEnd()
      .split('\n');
    return lines.join(`${this.eol}${' '.repeat(column)}`);
  }
}

/** A value on one line, in flow style. */
export function flow(value: unknown): string {
  return stringify(value, { collectionStyle: 'flow', lineWidth: 0, version: '1.2' }).trimEnd();
}

/** The end of the text of a node, without the comments and blank lines after it. */
export function contentEnd(node: unknown): number {
  if (isMap(node) && !node.flow && node.items.length > 0) return pairEnd(node.items.at(-1)!);
  if (isSeq(node) && !node.flow && node.items.length > 0) return contentEnd(node.items.at(-1));
  return isNode(node) ? (node.range?.[1] ?? 0) : 0;
}

/** The end of the value of a pair, or of its key if there is no value. */
export function pairEnd(pair: Pair): number {
  return Math.max(contentEnd(pair.key), contentEnd(pair.value));
}
