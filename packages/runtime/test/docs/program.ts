const signals = ['SIGINT', 'SIGTERM'] as const;

/** A program of the documentation that runs until it gets a signal; in this process, on the sources. */
export class Program {
  readonly #ended: Promise<unknown>;
  readonly #others = new Set(signals.flatMap((name) => process.listeners(name)));
  readonly #exit = Object.getOwnPropertyDescriptor(process, 'exit')!;

  /** @param argv its arguments. */
  constructor(path: string, argv: readonly string[] = []) {
    process.argv = [process.argv[0]!, path, ...argv];
    // Its last line; the process is that of the tests.
    process.exit = (() => {}) as typeof process.exit;
    this.#ended = import(/* @vite-ignore */ path);
    // `end` reports it.
    this.#ended.catch(() => {});
  }

  /** Sends SIGTERM only to the program; rejects with its error. */
  async end(): Promise<void> {
    for (const listener of this.#listeners('SIGTERM')) listener('SIGTERM');
    await this.#ended;
    // A process would end now.
    Object.defineProperty(process, 'exit', this.#exit);
    for (const name of signals) for (const listener of this.#listeners(name)) process.off(name, listener);
  }

  #listeners(name: NodeJS.Signals): NodeJS.SignalsListener[] {
    return process.listeners(name).filter((listener) => !this.#others.has(listener));
  }
}
