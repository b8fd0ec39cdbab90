import { type Document, LineCounter, isNode, parseDocument } from 'yaml';
import { firstDocumentOf } from './first-document.ts';

/** Finds lines in the first document of a file. */
export class Lines {
  readonly #lines = new LineCounter();
  readonly #document: Document;

  constructor(text: string) {
    const options = { lineCounter: this.#lines, logLevel: 'silent', version: '1.1' } as const;
    this.#document = parseDocument(firstDocumentOf(text), options);
  }

  /**
   * The line of a value, or of the nearest value around it that exists.
   *
   * @param path such as `spec.icon[0].mediatype`; keys with dots are in brackets
   * @returns from 1; undefined in an empty document
   */
  at(path: string): number | undefined {
    const steps = Array.from(
      path.matchAll(/\[([^\]]*)\]|[^.[\]]+/g),
      ([step, inBrackets]) => inBrackets ?? step,
    );
    for (let count = steps.length; count >= 0; count -= 1) {
      const keys = steps.slice(0, count).map((step) => (/^\d+$/.test(step) ? Number(step) : step));
      const node = count === 0 ? this.#document.contents : this.#document.getIn(keys, true);
      if (isNode(node) && node.range) return this.#lines.linePos(node.range[0]).line;
    }
    return undefined;
  }
}
