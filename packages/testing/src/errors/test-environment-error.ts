/** The server of a test environment did not start, or lacks what a test asks for. */
export class TestEnvironmentError extends Error {
  override readonly name = 'TestEnvironmentError';
  readonly code = 'CONTROL_PLANE';
  /** What to do about it. */
  readonly hint: string;

  constructor(message: string, hint: string, cause?: unknown) {
    super(`${message} ${hint}`, { cause });
    this.hint = hint;
  }
}
