import type { RequestListener } from 'node:http';
import { type Server, createServer } from 'node:https';
import type { CertificateFiles } from '../certificates/certificate-files.ts';
import type { CertificatePair } from '../certificates/certificate-pair.ts';
import { type ListenOptions, Listener } from './listener.ts';

/** A listener over TLS whose certificate may change while it serves. */
export class TlsListener extends Listener {
  readonly #server: Server;
  readonly #certificate: CertificatePair | CertificateFiles;
  readonly #stopWatching = new AbortController();

  constructor(
    name: string,
    options: ListenOptions,
    certificate: CertificatePair | CertificateFiles,
    answer: RequestListener,
  ) {
    const server = createServer(answer);
    super(name, server, options);
    this.#server = server;
    this.#certificate = certificate;
  }

  /**
   * @throws {CertificateError} when there is no usable certificate.
   * @throws {ListenError} when the port cannot be had.
   */
  override async open(): Promise<void> {
    if ('cert' in this.#certificate) {
      this.#server.setSecureContext(this.#certificate);
    } else {
      this.#server.setSecureContext(await this.#certificate.read());
    }
    await super.open();
    if ('cert' in this.#certificate) return;
    void this.#certificate.watch((pair) => this.#server.setSecureContext(pair), this.#stopWatching.signal);
  }

  override async close(): Promise<void> {
    this.#stopWatching.abort();
    await super.close();
  }

  override closeNow(): void {
    this.#stopWatching.abort();
    super.closeNow();
  }
}
