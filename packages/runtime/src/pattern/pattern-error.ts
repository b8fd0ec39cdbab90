import { RuntimeError } from '../errors/runtime-error.ts';

/** A pattern is not a regular expression of RE2, or a match would take too long. The message says what is wrong. */
export class PatternError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'PATTERN';
}
