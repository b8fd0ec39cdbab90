/** The API server's regular expressions (RE2) do not allow the pattern. */
export class PatternError extends Error {
  readonly code = 'pattern';
  /** The message of Go's regexp package, and therefore of the API server. */
  readonly goMessage: string;
  /** What to write instead, if that is known. */
  readonly hint: string | undefined;

  /**
   * @param message the problem, for authors
   * @param fault Go's name for the problem
   * @param fragment the part of the pattern that Go shows
   */
  constructor(message: string, fault: PatternFault, fragment: string, hint?: string) {
    super(message);
    this.name = 'PatternError';
    this.goMessage = `error parsing regexp: ${fault}: \`${fragment}\``;
    this.hint = hint;
  }
}

export type PatternFault =
  | 'expression nests too deeply'
  | 'expression too large'
  | 'invalid character class range'
  | 'invalid escape sequence'
  | 'invalid named capture'
  | 'invalid nested repetition operator'
  | 'invalid or unsupported Perl syntax'
  | 'invalid repeat count'
  | 'missing argument to repetition operator'
  | 'missing closing )'
  | 'missing closing ]'
  | 'trailing backslash at end of expression'
  | 'unexpected )';
