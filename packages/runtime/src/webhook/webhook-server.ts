import type { IncomingMessage, ServerResponse } from 'node:http';
import { CertificateFiles } from '../certificates/certificate-files.ts';
import type { Clock } from '../clock/clock.ts';
import { errorMessage } from '../errors/error-message.ts';
import type { Logger } from '../logging/logger.ts';
import type { ManagerMetrics } from '../metrics/manager-metrics.ts';
import type { ListenOptions } from '../server/listener.ts';
import { TlsListener } from '../server/tls-listener.ts';
import { BadReviewError } from './bad-review-error.ts';
import { readReview } from './read-review.ts';
import type { WebhookRegistry } from './webhook-registry.ts';

export interface WebhookServerOptions extends ListenOptions {
  /** A directory with `tls.crt` and `tls.key`, which are read again when they change. */
  certDir: string;
}

export interface WebhookServerDependencies {
  webhooks: WebhookRegistry;
  metrics: ManagerMetrics | undefined;
  clock: Clock;
  logger: Logger;
}

/** Serves webhooks to the API server, over TLS. */
export class WebhookServer extends TlsListener {
  constructor(options: WebhookServerOptions, dependencies: WebhookServerDependencies) {
    const { clock, logger } = dependencies;
    const certificate = new CertificateFiles({ directory: options.certDir, clock, logger });
    super('webhooks', options, certificate, (request, response) => {
      // Never rejects: every failure becomes an answer.
      void serve(request, response, dependencies);
    });
  }
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  { webhooks, metrics, logger }: WebhookServerDependencies,
): Promise<void> {
  const path = request.url?.split('?')[0] ?? '';
  const handler = webhooks.at(path);
  if (!handler) return reply(response, 404, failure(404, `no webhook at ${path}`));
  const labels = { webhook: path };
  metrics?.webhookInFlight.inc(labels);
  const finished = metrics?.webhookLatency.startTimer(labels);
  let code = 200;
  try {
    reply(response, 200, await handler(await readReview(request)));
  } catch (error) {
    code = error instanceof BadReviewError ? error.status : 500;
    logger.warn({ webhook: path, code, reason: errorMessage(error) }, 'a webhook request was not answered');
    // What is left of a body that is too large is thrown away, so that the client comes to read the answer.
    request.resume();
    reply(response, code, failure(code, errorMessage(error)));
  }
  finished?.();
  metrics?.webhookInFlight.dec(labels);
  metrics?.webhookRequests.inc({ webhook: path, code: String(code) });
}

/** A Status, which the API server shows to whoever sent the object. */
function failure(code: number, message: string): object {
  return { apiVersion: 'v1', kind: 'Status', status: 'Failure', code, message };
}

function reply(response: ServerResponse, code: number, body: unknown): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
