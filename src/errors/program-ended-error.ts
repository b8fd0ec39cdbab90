/** A command, or a program that it ran, has failed and has said why itself. */
export class ProgramEndedError extends Error {
  override readonly name = 'ProgramEndedError';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`ended with exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}
