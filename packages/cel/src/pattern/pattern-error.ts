/** A pattern that the API server's regular expressions (RE2) do not allow. */
export class PatternError extends Error {
  readonly code = 'pattern';
  /** What Go's regexp package says of it, and so the API server. */
  readonly goMessage: string;
  /** What to write instead, where that is known. */
  readonly hint: string | undefined;

  /**
   * @param message what is wrong, for authors
   * @param fault how Go calls this fault
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
