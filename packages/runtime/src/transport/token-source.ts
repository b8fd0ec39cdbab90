import { readFile } from 'node:fs/promises';
import type { Clock } from '../clock/clock.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import { ConnectionConfigError } from '../kubeconfig/connection-config-error.ts';

/** The kubelet rotates service account tokens long before they expire, so a minute of age does no harm. */
const maxAge = 60_000;

/** The bearer token to send: fixed, or from a file that is read again when what was read is a minute old. */
export class TokenSource {
  readonly #config: ConnectionConfig;
  readonly #clock: Clock;
  #fromFile: string | undefined;
  #readAt = Number.NEGATIVE_INFINITY;

  constructor(config: ConnectionConfig, clock: Clock) {
    this.#config = config;
    this.#clock = clock;
  }

  /** @throws {ConnectionConfigError} when the file has never been readable and there is no fixed token. */
  async token(): Promise<string | undefined> {
    const file = this.#config.tokenFile;
    if (file === undefined) return this.#config.token;
    if (this.#clock.now() - this.#readAt >= maxAge) {
      try {
        this.#fromFile = (await readFile(file, 'utf8')).trim();
        this.#readAt = this.#clock.now();
      } catch (error) {
        // A failed read during a rotation is no reason to drop a token that still works.
        this.#fromFile ??= this.#config.token;
        if (this.#fromFile === undefined) {
          throw new ConnectionConfigError(
            `cannot read the token file: ${errorMessage(error)}`,
            'Check that the service account token is mounted and readable.',
            error,
          );
        }
      }
    }
    return this.#fromFile;
  }
}
