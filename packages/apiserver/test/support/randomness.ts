/** Random choices that the same seed repeats. */
export class Randomness {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(this.#next() * choices.length)];
    if (choice === undefined) throw new Error('there is nothing to choose from');
    return choice;
  }

  chance(probability: number): boolean {
    return this.#next() < probability;
  }

  /** mulberry32 */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }
}
