/**
 * What every error class of this package has: a stable `code` to branch on, a one-line message that says what is
 * wrong, a `hint` that says what to do about it, and the `cause` where there is one.
 */
export abstract class RuntimeError extends Error {
  /** Stable, in capitals; to branch on. */
  abstract readonly code: string;
  /** What to do about it, in one line. */
  readonly hint: string;

  /**
   * Which stacks a log shows: `own` for a bug in the program, which the stack locates; `cause` for an error that only
   * wraps others; `none` for what may happen to every correct program and whose message says everything.
   * @internal
   */
  get loggedStacks(): 'own' | 'cause' | 'none' {
    return 'none';
  }

  constructor(message: string, hint: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.hint = hint;
  }
}
