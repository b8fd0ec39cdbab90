/** A pattern that the API server's regular expressions (RE2) do not allow. */
export class PatternError extends Error {
  readonly code = 'pattern';
  /** What to write instead, where that is known. */
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.name = 'PatternError';
    this.hint = hint;
  }
}
