import type { Place } from '../ast.ts';
import type { CompilerMessage } from '../problem.ts';

/** The text is not a CEL expression. `start` and `end` are UTF-16 offsets in it. */
export class CelSyntaxError extends Error {
  readonly start: number;
  readonly end: number;
  /** What to write instead. */
  readonly hint: string;
  /** The same problem as the API server's compiler reports it, if not as an error of the grammar. */
  readonly compiler: CompilerMessage | undefined;

  /**
   * @param message the problem
   * @param hint what to write instead
   * @param place its position
   * @param text the message of the API server's compiler
   */
  constructor(message: string, hint: string, { start, end, at = start }: Place, text?: string) {
    super(message);
    this.name = 'CelSyntaxError';
    this.hint = hint;
    this.start = start;
    this.end = end;
    this.compiler = text === undefined ? undefined : { text, at };
  }
}
