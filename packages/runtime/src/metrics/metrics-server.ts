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
import { type DebugSources, debugHandlers } from './serve-debug.ts';
import { serveMetrics } from './serve-metrics.ts';
import { reply } from './serve-text.ts';
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
   * Records the last thousand reconciles and serves them as JSON at `/debug/reconciles`, and the queues at
   * `/debug/queues`, with the same access check as `/metrics`: a role must allow to get these paths. Without `secure`
   * only on a loopback address. False by default.
   */
  debugReconciles?: boolean | undefined;
  /**
   * Additional handlers by path, such as `/debug/state`, with the same access check as `/metrics`. They handle every
   * method. None by default.
   */
  extraHandlers?: Readonly<Record<string, RequestListener>> | undefined;
}

export interface MetricsServerDependencies {
  metrics: ManagerMetrics;
  /** What the debug endpoints serve; undefined if they are off. */
  debug?: DebugSources | undefined;
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
 * @throws {UsageError} if the path of an extra handler is invalid, or every caller could read the reconciles.
 */
export function metricsServer(options: MetricsOptions, dependencies: MetricsServerDependencies): Listener {
  const { metrics, client, clock, networkClock, logger } = dependencies;
  const { certDir, certName, keyName } = options;
  if (options.debugReconciles) refuseOpen(options);
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
  { metrics, debug, networkClock, logger }: MetricsServerDependencies,
): Map<string, RequestListener> {
  const own = new Map<string, RequestListener>([
    ['/metrics', serveMetrics(metrics.registry, networkClock, logger)],
    ...(debug ? debugHandlers(debug, logger) : []),
  ]);
  for (const path of Object.keys(extraHandlers)) {
    if (own.has(path) || !path.startsWith('/') || path.includes('?')) {
      throw new UsageError(
        `${JSON.stringify(path)} cannot be the path of an extra handler`,
        `Start it with a slash; ${[...own.keys()].join(', ')} ${own.size > 1 ? 'are' : 'is'} taken.`,
      );
    }
  }
  return new Map([...own, ...Object.entries(extraHandlers)]);
}

/** Names of objects and fields are for those who may see them. */
function refuseOpen({ secure, host = '' }: MetricsOptions): void {
  if (secure || /^(?:127\.|::1$|localhost$)/.test(host)) return;
  throw new UsageError(
    'Anyone who reaches the metrics server could read the reconciles',
    'Set secure to true (--metrics-secure), or its host to 127.0.0.1.',
  );
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
