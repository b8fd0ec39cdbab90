import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CertificatePair } from 'ots-apimachinery/certificates/certificate-pair';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';
import { CertificateFiles } from '../certificates/certificate-files.ts';
import type { CertificateObserver } from '../certificates/certificate-observer.ts';
import { CertificateRotator } from '../certificates/certificate-rotator.ts';
import type { CertificateSource } from '../certificates/certificate-source.ts';
import {
  type RotatorDefaults,
  type RotatorOptions,
  completeRotatorOptions,
} from '../certificates/rotator-options.ts';
import type { Client } from '../client/client.ts';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { containRejections } from '../context/contain-rejections.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import type { ListenOptions } from '../server/listener.ts';
import { type TlsListenOptions, TlsListener } from '../server/tls-listener.ts';
import type { Tracer } from '../tracing/tracer.ts';
import { BadReviewError, readReview } from './read-review.ts';
import { warnOfUnnamed } from './warn-of-unnamed.ts';
import type { WebhookObserver } from './webhook-observer.ts';
import type { ReviewCall, WebhookRegistry } from './webhook-registry.ts';
import { whileAwaited } from './while-awaited.ts';

/** Certificate files that another program rotates, usually cert-manager. */
export interface CertificateDirectory {
  /** A directory with the serving certificate and its key, which are read again when they change. */
  certDir: string;
  /** The file of the certificate in `certDir`; `tls.crt` by default. */
  certName?: string | undefined;
  /** The file of its key in `certDir`; `tls.key` by default. */
  keyName?: string | undefined;
  /** Cannot be combined with a directory. */
  rotator?: undefined;
}

/** Certificates that the operator issues itself, without cert-manager. */
export interface BuiltInRotation {
  /** The Secret, the names and the configurations of the certificate. */
  rotator: RotatorOptions;
  /** Cannot be combined with a rotator. */
  certDir?: undefined;
}

/** Webhooks for an API server on this machine, which learns their address and certificate when they listen. */
interface LocalWebhooks extends ListenOptions {
  host: string;
  certificate: CertificatePair;
  certDir?: undefined;
  rotator?: undefined;
}

/** Webhooks on a free port of this machine, with a certificate of their own. */
export function localWebhooks(): LocalWebhooks {
  const host = '127.0.0.1';
  return { host, port: 0, certificate: selfSignedCertificate({ names: [host], isAuthority: true }) };
}

/** Where webhooks are served, and with which certificate: from a directory, or from the built-in rotator. */
export type WebhookServerOptions = TlsListenOptions & (CertificateDirectory | BuiltInRotation);

export interface WebhookServerDependencies {
  webhooks: WebhookRegistry;
  /** For the rotator: it reads from the server, not from a cache, and writes whether or not this replica leads. */
  client: Client;
  /** The defaults of its options. */
  rotatorDefaults?: RotatorDefaults | undefined;
  /** For certificates. */
  clock: Clock;
  /** For requests. */
  networkClock: Clock;
  logger: Logger;
  /** Creates the observer of one path; called once per requested path. */
  observe?: ((path: string) => WebhookObserver) | undefined;
  certificateObserver?: CertificateObserver | undefined;
  tracer?: Tracer | undefined;
}

/** Serves webhooks to the API server, over TLS. */
export class WebhookServer extends TlsListener {
  readonly #rotator: RotatorOptions | undefined;
  readonly #dependencies: WebhookServerDependencies;
  readonly #observers = new Map<string, WebhookObserver | undefined>();
  #containment: Disposable | undefined;

  /** @throws {UsageError} if the rotator has no DNS name, or its namespace is unknown. */
  constructor(options: WebhookServerOptions | LocalWebhooks, dependencies: WebhookServerDependencies) {
    const { clock, logger } = dependencies;
    super(
      'webhooks',
      options,
      certificateSource(options, dependencies),
      // Never rejects: every failure becomes a response.
      (request, response) => void this.#serve(request, response),
      { clock, logger },
    );
    this.#rotator = options.rotator;
    this.#dependencies = dependencies;
  }

  override async open(signal?: AbortSignal): Promise<void> {
    const { webhooks, logger } = this.#dependencies;
    if (this.#rotator) warnOfUnnamed(this.#rotator, webhooks, logger);
    await super.open(signal);
    this.#containment = containRejections();
  }

  override async close(): Promise<void> {
    await super.close();
    this.#containment?.[Symbol.dispose]();
  }

  override closeNow(): void {
    super.closeNow();
    this.#containment?.[Symbol.dispose]();
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { networkClock, logger, webhooks } = this.#dependencies;
    const path = request.url?.split('?')[0] ?? '';
    // Only known paths are observed: requests to random paths must not fill the metrics.
    if (!webhooks.at(path)) {
      request.resume();
      return reply(
        response,
        404,
        failure(404, `the operator does not serve ${path}; it serves ${webhooks.paths.join(', ')}`),
      );
    }
    const observer = this.#observer(path);
    const start = networkClock.now();
    observer?.started();
    let code = 200;
    try {
      const review = await whileAwaited(request, response, networkClock, (signal) =>
        this.#respond(path, request, { signal, observer }),
      );
      reply(response, 200, review);
    } catch (error) {
      code = error instanceof BadReviewError ? error.status : 500;
      logger.warn({ webhook: path, code, reason: errorMessage(error) }, 'webhook request failed');
      // Discards the rest of a body that is too large, so the client gets to read the response.
      request.resume();
      reply(response, code, failure(code, errorMessage(error)));
    }
    observer?.finished(code, (networkClock.now() - start) / 1000);
  }

  async #respond(path: string, request: IncomingMessage, call: ReviewCall): Promise<unknown> {
    const { tracer, webhooks } = this.#dependencies;
    const respond = async (): Promise<unknown> =>
      webhooks.at(path)?.(await readReview(request, call.signal), call);
    return tracer ? tracer.span(`webhook ${path}`, { 'url.path': path }, respond) : respond();
  }

  #observer(path: string): WebhookObserver | undefined {
    if (!this.#observers.has(path)) this.#observers.set(path, this.#dependencies.observe?.(path));
    return this.#observers.get(path);
  }
}

function certificateSource(
  options: WebhookServerOptions | LocalWebhooks,
  { client, clock, logger, certificateObserver: observer, rotatorDefaults }: WebhookServerDependencies,
): CertificatePair | CertificateSource {
  if ('certificate' in options) return options.certificate;
  const common = { clock, logger, observer };
  if (options.rotator) {
    const rotator = completeRotatorOptions(options.rotator, rotatorDefaults);
    return new CertificateRotator(rotator, { client, ...common });
  }
  const { certDir: directory, certName, keyName } = options;
  return new CertificateFiles({ directory, certName, keyName, ...common });
}

/** A Status, which the API server shows to the sender of the object. */
function failure(code: number, message: string): object {
  return { apiVersion: 'v1', kind: 'Status', status: 'Failure', code, message };
}

/** Throws if the response cannot be serialized as JSON, before any of it is sent. */
function reply(response: ServerResponse, code: number, body: unknown): void {
  const text = JSON.stringify(body);
  response.writeHead(code, { 'content-type': 'application/json' }).end(text);
}
