import type { Range } from '../ast.ts';

/** An expression that is not CEL: `start` and `end` are UTF-16 offsets in its text. */
export class CelSyntaxError extends Error {
  readonly start: number;
  readonly end: number;
  /** What to write instead. */
  readonly hint: string;

  /**
   * @param message what is wrong
   * @param hint what to write instead
   * @param range where it is wrong
   */
  constructor(message: string, hint: string, range: Range) {
    super(message);
    this.name = 'CelSyntaxError';
    this.hint = hint;
    this.start = range.start;
    this.end = range.end;
  }
}
