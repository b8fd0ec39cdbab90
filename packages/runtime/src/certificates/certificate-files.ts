import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { sleep } from 'ots-apimachinery/clock/sleep';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import { CertificateError } from './certificate-error.ts';
import type { CertificateObserver } from './certificate-observer.ts';
import type { CertificateSource } from './certificate-source.ts';
import { checkPair } from './check-pair.ts';
import { wakeable } from '../clock/wakeable.ts';

export interface CertificateFilesOptions {
  /** The directory of the certificate and its key, such as a mounted Secret. */
  directory: string;
  /** The file of the certificate chain, PEM; `tls.crt` by default. */
  certName?: string | undefined;
  /** The file of the private key, PEM; `tls.key` by default. */
  keyName?: string | undefined;
  clock: Clock;
  logger: Logger;
  observer?: CertificateObserver | undefined;
}

/** Polls as well: not every file system sends notifications, and a mount may be replaced under a watch. */
const interval = 10_000;
/** How long the writes of a rotation may take. Reading earlier might find half of them. */
const settleTime = 250;

/**
 * A serving certificate in files that another program rotates: by writing them, by renaming other files over them, or,
 * as the kubelet does for Secrets, by swapping the symbolic link `..data` that their links go through.
 */
export class CertificateFiles implements CertificateSource {
  readonly #options: CertificateFilesOptions;
  #current: CertificatePair | undefined;

  constructor(options: CertificateFilesOptions) {
    this.#options = options;
  }

  async load(): Promise<CertificatePair> {
    this.#current = await this.#read();
    return this.#current;
  }

  async watch(changed: (pair: CertificatePair) => Promise<void>, signal: AbortSignal): Promise<void> {
    const looks = wakeable(this.#options.clock, signal);
    const watcher = this.#notify(() => looks.wake());
    try {
      for (;;) {
        const reason = await looks.next(interval);
        if (reason === 'aborted') return;
        if (reason === 'woken') await sleep(this.#options.clock, settleTime, signal);
        await this.#look(changed);
      }
    } finally {
      watcher?.close();
    }
  }

  async #look(changed: (pair: CertificatePair) => Promise<void>): Promise<void> {
    const before = this.#current;
    try {
      const pair = await this.#read();
      if (pair.cert === before?.cert && pair.key === before.key) return;
      await changed(pair);
      // Only after the server accepted it: a pair that it could not serve is tried again.
      this.#current = pair;
      this.#options.logger.info('serving certificate changed');
    } catch (error) {
      this.#options.logger.warn(
        { reason: errorMessage(error) },
        'cannot read the serving certificate; keeping the old one',
      );
    }
  }

  async #read(): Promise<CertificatePair> {
    const { directory, certName = 'tls.crt', keyName = 'tls.key', observer } = this.#options;
    observer?.read();
    try {
      const cert = await readFile(join(directory, certName), 'utf8');
      const key = await readFile(join(directory, keyName), 'utf8');
      observer?.serving(checkPair({ cert, key }));
      return { cert, key };
    } catch (error) {
      observer?.failed();
      throw new CertificateError(
        `No usable serving certificate in ${directory}: ${errorMessage(error)}`,
        `Put ${certName} and ${keyName} there, for example by mounting the Secret of a cert-manager Certificate.`,
        error,
      );
    }
  }

  /** Watches the directory, not the files: a rotation replaces the files, and a watch would stay on the old ones. */
  #notify(changed: () => void): FSWatcher | undefined {
    const { directory, logger } = this.#options;
    try {
      const watcher = watch(directory, { persistent: false }, changed);
      watcher.on('error', () => watcher.close());
      return watcher;
    } catch (error) {
      logger.debug(
        { reason: errorMessage(error) },
        `${directory} does not report changes; polling it instead`,
      );
      return undefined;
    }
  }
}
