import type { SourceText, Span } from '../source/source-text.ts';
import type { Diagnostic } from './diagnostic.ts';
import { locate } from './diagnostic.ts';

/**
 * Collects the errors of one command. An error found along two paths (a type used by two kinds) counts once.
 */
export class Diagnostics {
  readonly #found = new Map<string, Diagnostic>();

  get hasErrors(): boolean {
    return this.#found.size > 0;
  }

  /**
   * Records an error.
   * @param source the file that contains it
   * @param span the code it is about; a range that extends beyond its first line is cut off there
   * @param code stable identifier of the broken rule
   * @param message what is wrong
   * @param hint what to do about it
   */
  error(source: SourceText, span: Span, code: string, message: string, hint?: string): void {
    const key = `${source.path}\0${span.start}\0${code}\0${message}`;
    if (this.#found.has(key)) return;
    this.#found.set(key, {
      code,
      ...locate(source, span),
      message,
      ...(hint === undefined ? {} : { hint }),
    });
  }

  /** Returns all errors, sorted by file, line, column and text. */
  sorted(): Diagnostic[] {
    return [...this.#found.values()].toSorted(
      (a, b) =>
        compare(a.file, b.file) || a.line - b.line || a.column - b.column || compare(a.message, b.message),
    );
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
