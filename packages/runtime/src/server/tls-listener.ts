import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { type Server, createServer } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import { CertificateError } from '../certificates/certificate-error.ts';
import type { CertificateSource } from '../certificates/certificate-source.ts';
import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import { type ListenOptions, Listener } from './listener.ts';
import { serverLimits } from './server-limits.ts';
import { servedCertificate } from './served-certificate.ts';

/** Where a server listens, and which clients it serves. */
export interface TlsListenOptions extends ListenOptions {
  /**
   * A PEM file of certificate authorities. Only clients with a certificate from one of them are served; all clients when
   * absent. Read at start and whenever the serving certificate changes.
   */
  clientCAFile?: string | undefined;
}

export interface TlsListenerDependencies {
  logger?: Logger | undefined;
  clock?: Clock | undefined;
}

/** In milliseconds. Health checkers and port scanners connect and never start a handshake. */
const handshakeTimeout = 10_000;

/**
 * A listener over TLS 1.2 and 1.3 whose certificate may change while it serves. It speaks HTTP/1.1 only: with HTTP/2
 * one connection may start and cancel requests without end (CVE-2023-44487), and the API server needs no more.
 */
export class TlsListener extends Listener {
  readonly #server: Server;
  readonly #options: TlsListenOptions;
  readonly #source: CertificatePair | CertificateSource;
  readonly #logger: Logger | undefined;
  readonly #clock: Clock;
  readonly #stop = new AbortController();
  #watching: Promise<void> = Promise.resolve();
  #current: X509Certificate | undefined;

  constructor(
    name: string,
    options: TlsListenOptions,
    source: CertificatePair | CertificateSource,
    respond: RequestListener,
    { logger, clock = systemClock }: TlsListenerDependencies = {},
  ) {
    const authenticate = options.clientCAFile !== undefined;
    const server = createServer(
      {
        ...serverLimits,
        handshakeTimeout,
        requestCert: authenticate,
        rejectUnauthorized: authenticate,
      },
      respond,
    );
    super(name, server, options);
    this.#server = server;
    this.#options = options;
    this.#source = source;
    this.#logger = logger;
    this.#clock = clock;
    // Probes and scanners abort handshakes all the time; that is not worth a log line.
    server.on('tlsClientError', (error, socket) => {
      this.#logger?.debug(
        { reason: errorMessage(error), peer: socket.remoteAddress },
        'a TLS handshake failed',
      );
    });
  }

  /**
   * @param signal stops waiting for a certificate that must be issued first; the call rejects with its reason.
   * @throws {CertificateError} when there is no usable certificate.
   * @throws {ListenError} when the port is taken or not allowed.
   */
  override async open(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const giveUp = (): void => this.#stop.abort(signal?.reason);
    signal?.addEventListener('abort', giveUp, { once: true });
    try {
      await this.#use('cert' in this.#source ? this.#source : await this.#source.load(this.#stop.signal));
    } finally {
      signal?.removeEventListener('abort', giveUp);
    }
    await super.open(signal);
    if ('cert' in this.#source) return;
    this.#watching = this.#source.watch((pair) => this.#use(pair), this.#stop.signal);
  }

  override async close(): Promise<void> {
    this.#stop.abort();
    await Promise.all([super.close(), this.#watching]);
  }

  override closeNow(): void {
    this.#stop.abort();
    super.closeNow();
  }

  /**
   * Returns why a client cannot connect; undefined when it can. For readiness: a bound port does not mean that TLS
   * works.
   */
  async problem(): Promise<string | undefined> {
    const { port } = this;
    if (port === undefined || !this.#current) return 'it is not listening yet';
    try {
      const served = await servedCertificate(this.#options.host, port);
      if (served !== this.#current.fingerprint256) return 'it serves the wrong certificate';
    } catch (error) {
      return `TLS does not work: ${errorMessage(error)}`;
    }
    const validTo = Date.parse(this.#current.validTo);
    return validTo < this.#clock.epoch() ? `its certificate expired at ${this.#current.validTo}` : undefined;
  }

  async #use({ cert, key }: CertificatePair): Promise<void> {
    const context: SecureContextOptions = { cert, key, minVersion: 'TLSv1.2', ...(await this.#clientCA()) };
    this.#server.setSecureContext(context);
    this.#current = new X509Certificate(cert);
  }

  async #clientCA(): Promise<{ ca?: string }> {
    const { clientCAFile } = this.#options;
    if (clientCAFile === undefined) return {};
    try {
      return { ca: await readFile(clientCAFile, 'utf8') };
    } catch (error) {
      throw new CertificateError(
        `The client certificate authorities cannot be read: ${errorMessage(error)}`,
        'Set clientCAFile to a PEM file, or leave it out to serve clients without certificates.',
        error,
      );
    }
  }
}
