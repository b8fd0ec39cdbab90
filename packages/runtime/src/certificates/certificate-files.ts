import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../clock/clock.ts';
import { sleep } from '../clock/sleep.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import { CertificateError } from './certificate-error.ts';
import type { CertificatePair } from './certificate-pair.ts';

export interface CertificateFilesOptions {
  /** Holds `tls.crt` and `tls.key`, as a mounted Secret does. */
  directory: string;
  clock: Clock;
  logger: Logger;
}

/**
 * Secrets are mounted through symlinks that are swapped, on file systems that may not notify: looking is what works
 * everywhere, and a rotation leaves hours.
 */
const interval = 10_000;

/** A serving certificate in files that somebody rotates. */
export class CertificateFiles {
  readonly #options: CertificateFilesOptions;
  #current: CertificatePair | undefined;

  constructor(options: CertificateFilesOptions) {
    this.#options = options;
  }

  /** @throws {CertificateError} when a file is missing or the two do not belong together. */
  async read(): Promise<CertificatePair> {
    const { directory } = this.#options;
    try {
      const cert = await readFile(join(directory, 'tls.crt'), 'utf8');
      const key = await readFile(join(directory, 'tls.key'), 'utf8');
      createSecureContext({ cert, key });
      this.#current = { cert, key };
      return this.#current;
    } catch (error) {
      throw new CertificateError(
        `no usable serving certificate in ${directory}: ${errorMessage(error)}`,
        'Put tls.crt and tls.key there, for example by mounting the Secret of a cert-manager Certificate.',
        error,
      );
    }
  }

  /** Calls back with every new pair until the signal aborts. A bad one is logged, and the old one stays. */
  async watch(changed: (pair: CertificatePair) => void, signal: AbortSignal): Promise<void> {
    const { clock, logger } = this.#options;
    for (await sleep(clock, interval, signal); !signal.aborted; await sleep(clock, interval, signal)) {
      const before = this.#current;
      try {
        const pair = await this.read();
        if (pair.cert === before?.cert && pair.key === before.key) continue;
        changed(pair);
        logger.info('the serving certificate has changed');
      } catch (error) {
        logger.warn(
          { reason: errorMessage(error) },
          'the serving certificate cannot be read; keeping the old one',
        );
      }
    }
  }
}
