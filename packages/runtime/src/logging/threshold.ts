import { type LogLevel, logLevel } from './log-level.ts';

/** The level that a logger and its children share. */
export class Threshold {
  readonly #values: Readonly<Record<string, number>>;
  #level: LogLevel = 'info';
  #value = 0;

  /**
   * @param values the number of each level.
   * @throws {UsageError} if the level does not exist.
   */
  constructor(level: string | number, values: Readonly<Record<string, number>>) {
    this.#values = values;
    this.level = level;
  }

  get level(): LogLevel {
    return this.#level;
  }

  set level(text: string | number) {
    this.#level = logLevel(text);
    this.#value = this.#values[this.#level] ?? Number.POSITIVE_INFINITY;
  }

  /** Returns true if lines of the level, a number or a name, should be written. */
  admits(level: number | string): boolean {
    const value = typeof level === 'number' ? level : this.#values[level];
    return value !== undefined && value >= this.#value;
  }
}
