/** A control plane for tests could not be started, or could not be given what it should hold. */
export class TestEnvironmentError extends Error {
  override readonly name = 'TestEnvironmentError';
  readonly code: 'OTS_CRD_PATH' | 'OTS_CRD_FILE' | 'OTS_CRD_INSTALL' | 'OTS_CONTROL_PLANE';
  /** What to do about it. */
  readonly hint: string;

  constructor(code: TestEnvironmentError['code'], message: string, hint: string, cause?: unknown) {
    super(`${message} ${hint}`, { cause });
    this.code = code;
    this.hint = hint;
  }
}
