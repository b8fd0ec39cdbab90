/** Divides time evenly among samples. What one leaves over is for the next ones. What the undisturbed operator needs does not count. */
export class Budget {
  #leftMs: number;
  #samples: number;
  readonly #now: () => number;
  #shareMs = 0;
  #begun: number | undefined;

  /**
   * @param totalMs in milliseconds
   * @param samples how many there are
   * @param now the current time, in milliseconds
   */
  constructor(totalMs: number, samples: number, now: () => number) {
    this.#leftMs = totalMs;
    this.#samples = samples;
    this.#now = now;
  }

  /** What the next sample gets, in whole seconds, at least one. */
  next(): number {
    this.#shareMs = this.#leftMs / this.#samples;
    this.#samples -= 1;
    this.#begun = undefined;
    return Math.max(1, Math.round(this.#shareMs / 1000));
  }

  /** A plan of the sample was tried. */
  tried(): void {
    this.#begun ??= this.#now();
  }

  /** The search with the sample is over. */
  end(): void {
    const spent = this.#begun === undefined ? 0 : this.#now() - this.#begun;
    this.#leftMs -= Math.min(this.#shareMs, spent);
  }
}
