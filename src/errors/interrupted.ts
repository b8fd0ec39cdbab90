/** A command that goes on until it is told to end was told so. It ends with the exit code that shells give the signal. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly signal: NodeJS.Signals;

  constructor(signal: NodeJS.Signals) {
    super(`ended by ${signal}`);
    this.signal = signal;
  }
}
