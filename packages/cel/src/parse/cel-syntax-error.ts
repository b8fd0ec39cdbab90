import type { Range } from '../ast.ts';

/** The text is not a CEL expression. `start` and `end` are UTF-16 offsets in it. */
export class CelSyntaxError extends Error {
  readonly start: number;
  readonly end: number;
  /** What to write instead. */
  readonly hint: string;

  /**
   * @param message the problem
   * @param hint what to write instead
   * @param range its position
   */
  constructor(message: string, hint: string, range: Range) {
    super(message);
    this.name = 'CelSyntaxError';
    this.hint = hint;
    this.start = range.start;
    this.end = range.end;
  }
}
