/** A data directory cannot be used. */
export class DataError extends Error {
  override readonly name = 'DataError';
  readonly code: 'DATA_IN_USE' | 'DATA_DAMAGED' | 'DATA_DIRECTORY';
  /** What is wrong. The message is the problem and the hint. */
  readonly problem: string;
  /** What to do about it. */
  readonly hint: string;

  constructor(code: DataError['code'], problem: string, hint: string, cause?: unknown) {
    super(`${problem}. ${hint}`, { cause });
    this.code = code;
    this.problem = problem;
    this.hint = hint;
  }
}
