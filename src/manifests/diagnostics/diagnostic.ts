/** One error in the author's sources, with everything needed to print it without reading the file again. */
export interface Diagnostic {
  /** Stable identifier of the rule that was broken, for machines (`--json`). */
  readonly code: string;
  /** Project-relative POSIX path. */
  readonly file: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
  /** How many UTF-16 code units of the source line are meant; at least 1. */
  readonly length: number;
  /** What is wrong, in one line. */
  readonly message: string;
  /** What to do about it. */
  readonly hint?: string;
  /** The line of the source that `line` names, without its line ending. */
  readonly sourceLine: string;
}
