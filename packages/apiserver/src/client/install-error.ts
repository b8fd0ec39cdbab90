/** Definitions could not be read, or the server refused a definition or an object. */
export class InstallError extends Error {
  override readonly name = 'InstallError';
  readonly code: 'CRD_PATH' | 'CRD_FILE' | 'CRD_INSTALL';
  /** What to do about it. */
  readonly hint: string;

  constructor(code: InstallError['code'], message: string, hint: string, cause?: unknown) {
    super(`${message} ${hint}`, { cause });
    this.code = code;
    this.hint = hint;
  }
}
