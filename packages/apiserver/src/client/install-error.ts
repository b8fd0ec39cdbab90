/** Manifests could not be read, or the server refused one. */
export class InstallError extends Error {
  override readonly name = 'InstallError';
  readonly code:
    | 'CRD_PATH'
    | 'CRD_FILE'
    | 'CRD_INSTALL'
    | 'MANIFEST_PATH'
    | 'MANIFEST_FILE'
    | 'MANIFEST_INSTALL'
    | 'KUSTOMIZATION';
  /** What is wrong. The message is the problem and the hint. */
  readonly problem: string;
  /** What to do about it. */
  readonly hint: string;

  constructor(code: InstallError['code'], problem: string, hint: string, cause?: unknown) {
    super(`${problem}. ${hint}`, { cause });
    this.code = code;
    this.problem = problem;
    this.hint = hint;
  }
}
