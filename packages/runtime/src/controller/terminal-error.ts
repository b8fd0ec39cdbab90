/** Throw it from a reconciler when trying again cannot help: the next change of the object runs it again. */
export class TerminalError extends Error {
  readonly code = 'TERMINAL';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'TerminalError';
  }
}
