import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { hostname } from 'node:os';
import { CertificateFiles } from '../certificates/certificate-files.ts';
import { selfSignedCertificate } from '../certificates/self-signed-certificate.ts';
import type { Client } from '../client/client.ts';
import type { Clock } from '../clock/clock.ts';
import type { Logger } from '../logging/logger.ts';
import { type ListenOptions, Listener } from '../server/listener.ts';
import { TlsListener } from '../server/tls-listener.ts';
import type { ManagerMetrics } from './manager-metrics.ts';
import { MetricsAccess } from './metrics-access.ts';

export interface MetricsOptions extends ListenOptions {
  /** HTTPS, for callers whom the cluster authenticates and allows to get `/metrics`; plain HTTP for all otherwise. */
  secure: boolean;
  /** A directory with `tls.crt` and `tls.key`; a self-signed certificate is made at start when absent. */
  certDir?: string | undefined;
}

export interface MetricsServerDependencies {
  metrics: ManagerMetrics;
  client: Client;
  clock: Clock;
  logger: Logger;
}

/** The server of `/metrics`. */
export function metricsServer(options: MetricsOptions, dependencies: MetricsServerDependencies): Listener {
  const { metrics, client, clock, logger } = dependencies;
  if (!options.secure) return new Listener('metrics', createServer(answering(metrics, logger)), options);
  const certificate =
    options.certDir === undefined
      ? selfSignedCertificate({ names: [hostname(), 'localhost', '127.0.0.1', '::1'] })
      : new CertificateFiles({ directory: options.certDir, clock, logger });
  const access = new MetricsAccess({ client, clock, logger });
  return new TlsListener('metrics', options, certificate, answering(metrics, logger, access));
}

function answering(metrics: ManagerMetrics, logger: Logger, access?: MetricsAccess): RequestListener {
  return (request, response) => {
    answer(request, response, metrics, access).catch((error: unknown) => {
      logger.error({ err: error }, 'metrics could not be served');
      reply(response, 500, 'metrics could not be served');
    });
  };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { registry }: ManagerMetrics,
  access: MetricsAccess | undefined,
): Promise<void> {
  const refusal = await access?.check(request.headers.authorization, request.method ?? 'GET');
  if (refusal !== undefined) return reply(response, refusal.code, refusal.message);
  if (request.url?.split('?')[0] !== '/metrics') return reply(response, 404, 'not found');
  if (request.method !== 'GET') return reply(response, 405, 'only GET is served');
  response.writeHead(200, { 'content-type': registry.contentType }).end(await registry.metrics());
}

function reply(response: ServerResponse, code: number, text: string): void {
  response.writeHead(code, { 'content-type': 'text/plain; charset=utf-8' }).end(`${text}\n`);
}
