import { type RequestListener, createServer } from 'node:http';
import { hostname } from 'node:os';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';
import { CertificateFiles } from '../certificates/certificate-files.ts';
import type { Client } from '../client/client.ts';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { UsageError } from '../errors/usage-error.ts';
import type { Logger } from '../logging/logger.ts';
import { type ListenOptions, Listener } from '../server/listener.ts';
import { serverLimits } from '../server/server-limits.ts';
import { TlsListener } from '../server/tls-listener.ts';
import { serveMetrics, reply } from './serve-metrics.ts';
import type { ManagerMetrics } from './manager-metrics.ts';
import { MetricsAccess } from './metrics-access.ts';

/** Where metrics are served, and for which callers. */
export interface MetricsOptions extends ListenOptions {
  /**
   * Serves HTTPS, only to callers that the cluster authenticates and authorizes to get `/metrics`; otherwise plain HTTP
   * to everyone.
   */
  secure: boolean;
  /** A directory with `tls.crt` and `tls.key`; by default a self-signed certificate is created at the start. */
  certDir?: string | undefined;
  /** The file of the certificate in `certDir`; `tls.crt` by default. */
  certName?: string | undefined;
  /** The file of its key in `certDir`; `tls.key` by default. */
  keyName?: string | undefined;
  /**
   * Additional handlers by path, such as `/debug/state`, with the same access check as `/metrics`. They handle every
   * method. None by default.
   */
  extraHandlers?: Readonly<Record<string, RequestListener>> | undefined;
}

export interface MetricsServerDependencies {
  metrics: ManagerMetrics;
  /** Writes to the API server. */
  client: Pick<Client, 'create'>;
  /** For certificates. */
  clock: Clock;
  /** For requests. */
  networkClock: Clock;
  logger: Logger;
}

/**
 * Creates the server of `/metrics`.
 * @throws {UsageError} if the path of an extra handler is invalid.
 */
export function metricsServer(options: MetricsOptions, dependencies: MetricsServerDependencies): Listener {
  const { metrics, client, clock, networkClock, logger } = dependencies;
  const { certDir, certName, keyName } = options;
  const handlers = handlersOf(options, dependencies);
  if (!options.secure)
    return new Listener('metrics', createServer(serverLimits, withAccess(handlers, logger)), options);
  const certificate =
    certDir === undefined
      ? selfSignedCertificate({ names: [hostname(), 'localhost', '127.0.0.1', '::1'] })
      : new CertificateFiles({
          directory: certDir,
          certName,
          keyName,
          clock,
          logger,
          observer: metrics.certificates(),
        });
  const access = new MetricsAccess({ client, clock: networkClock, logger });
  return new TlsListener('metrics', options, certificate, withAccess(handlers, logger, access), {
    logger,
    clock,
  });
}

function handlersOf(
  { extraHandlers = {} }: MetricsOptions,
  { metrics, networkClock, logger }: MetricsServerDependencies,
): Map<string, RequestListener> {
  for (const path of Object.keys(extraHandlers)) {
    if (path === '/metrics' || !path.startsWith('/') || path.includes('?')) {
      throw new UsageError(
        `${JSON.stringify(path)} cannot be the path of an extra handler`,
        'Start it with a slash; /metrics is taken.',
      );
    }
  }
  return new Map([
    ['/metrics', serveMetrics(metrics.registry, networkClock, logger)],
    ...Object.entries(extraHandlers),
  ]);
}

/** Unknown callers learn nothing, not even which paths exist. */
function withAccess(
  handlers: ReadonlyMap<string, RequestListener>,
  logger: Logger,
  access?: MetricsAccess,
): RequestListener {
  return (request, response) => {
    const { method = 'GET', url = '', headers, socket } = request;
    const caller = { authorization: headers.authorization, address: socket.remoteAddress };
    const path = url.split('?', 1)[0]!;
    const handler = handlers.get(path);
    const pass = async (): Promise<void> => {
      const refusal = await access?.check(caller, method, handler ? path : '/metrics');
      if (refusal !== undefined) reply(response, refusal.code, refusal.message);
      // It may be asynchronous, although its type does not say so.
      else if (handler) await (handler(request, response) as unknown);
      else reply(response, 404, 'not found');
    };
    pass().catch((error: unknown) => {
      logger.error({ err: error, path }, 'handler of the metrics server threw');
      reply(response, 500, 'the request could not be served');
    });
  };
}
