/** The server of a test environment did not start, or lacks what a test asks for. */
export class TestEnvironmentError extends Error {
  override readonly name = 'TestEnvironmentError';
  readonly code = 'CONTROL_PLANE';
  /** What to do about it. */
  readonly hint: string;

  /** @param problem what is wrong, without a period; it may end with the output of a program and a new line */
  constructor(problem: string, hint: string, cause?: unknown) {
    super(`${problem}${problem.endsWith('\n') ? '' : '. '}${hint}`, { cause });
    this.hint = hint;
  }
}
