const brand = Symbol.for('ots-runtime.TerminalError');

/** Throw it from a reconciler when trying again cannot help: the next change of the object runs it again. */
export class TerminalError extends Error {
  /** Stable; to branch on. */
  readonly code = 'TERMINAL';
  /**
   * Known to other copies of this package by it.
   * @internal
   */
  readonly [brand] = true;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TerminalError';
  }
}

/** True for a `TerminalError` of any copy of this package. */
export function isTerminal(error: unknown): error is TerminalError {
  return typeof error === 'object' && error !== null && (error as { [brand]?: unknown })[brand] === true;
}
