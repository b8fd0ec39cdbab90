import { readFile } from 'node:fs/promises';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { errorMessage } from '../../errors/error-message.ts';
import { ConnectionConfigError } from '../../kubeconfig/connection-config.ts';

/** The kubelet renews tokens and certificates long before they expire, so contents may be a minute old. */
const maxAge = 60_000;

/** The text of a file that another program replaces from time to time. */
export class FreshFile {
  readonly #path: string;
  readonly #clock: Clock;
  #text: string | undefined;
  #readAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  /** The text that was read last; undefined before the first read. Never empty. */
  get text(): string | undefined {
    return this.#text;
  }

  /**
   * Reads the file when the known text is a minute old, or in any case when `now` is true. Once the file has been read,
   * a failure is not an error: the file is being replaced, or the known text may still be valid. The next call tries
   * again.
   * @returns undefined if nothing is read.
   * @throws {ConnectionConfigError} when the file has never been readable.
   */
  refresh(now = false): Promise<void> | undefined {
    if (!now && this.#clock.now() - this.#readAt < maxAge) return undefined;
    this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
    return this.#reading;
  }

  async #read(): Promise<void> {
    try {
      const text = await readFile(this.#path, 'utf8');
      // While a program rewrites a file, it is empty for a moment.
      if (text.trim() === '') throw new Error(`${this.#path} is empty`);
      this.#text = text;
      this.#readAt = this.#clock.now();
    } catch (error) {
      if (this.#text !== undefined) return;
      throw new ConnectionConfigError(
        `Cannot read a file of the credentials: ${errorMessage(error)}`,
        'Check that the file is mounted and readable.',
        error,
      );
    }
  }
}
