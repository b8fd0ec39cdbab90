import type { Socket } from 'node:net';
import { type SecureContextOptions, createSecureContext, rootCertificates } from 'node:tls';
import type { Dispatcher, Pool, buildConnector } from 'undici';
import { errorMessage } from '../errors/error-message.ts';
import { type ConnectionConfig, ConnectionConfigError } from '../kubeconfig/connection-config.ts';
import type { LocalResponse } from '../kubeconfig/local-exchange.ts';
import { environmentProxy } from './credentials/environment-proxy.ts';
import type { KeyPair } from './credentials/key-pair.ts';
import { socksConnector } from './credentials/socks-connector.ts';
import { loadProxyAgent, loadUndici } from './undici.ts';

/** Beyond this many connections to one server, requests queue up: more would not make the server faster. */
const maxConnections = 32;
const keepAliveTimeout = 30_000;
// undici's own timeouts would end a quiet watch; callers set the deadlines.
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 };

/** A request that opens a watch. */
interface WatchRequest {
  origin: string;
  /** With the query. */
  path: string;
  headers: Record<string, string | string[]>;
  signal: AbortSignal;
}

/** The connections to one API server. */
export interface Agents {
  requests: Pick<Dispatcher, 'dispatch'>;
  /**
   * Begins a watch on a connection outside the cap: each watch occupies one for minutes and would starve requests.
   * @returns the response when its head is complete.
   */
  watch(request: WatchRequest): Promise<LocalResponse>;
  /** Closes idle connections at once and the others after their last response. */
  close(): Promise<unknown>;
  /** Closes all connections, including those that `close` is waiting for. */
  destroy(): Promise<unknown>;
}

export interface AgentsOptions {
  /** The certificate authorities to trust, PEM; Node's own when undefined. */
  ca: string | undefined;
  /** The client certificate. */
  keyPair: KeyPair | undefined;
  /** The maximum number of connections for requests; 32 by default. */
  connections: number | undefined;
}

/** @throws {ConnectionConfigError} when the certificates cannot be used. */
export function createAgents(
  config: ConnectionConfig,
  { ca, keyPair, connections = maxConnections }: AgentsOptions,
): Agents {
  const undici = loadUndici();
  const tls = {
    // Made once: parsing the certificates for each connection would cost more than the rest of connecting.
    secureContext: secureContext({ ...(ca !== undefined && { ca }), ...keyPair }),
    ...(config.tlsServerName !== undefined && { servername: config.tlsServerName }),
    rejectUnauthorized: !config.insecureSkipTlsVerify,
  };
  const proxy =
    config.proxyUrl === undefined ? environmentProxy(config.server, process.env) : config.proxyUrl;
  const pools = new Set<Pool>();
  const sockets = new Set<Socket>();
  const pool = (origin: string | URL, options: object): Dispatcher => {
    // A proxy agent drops unused pools and creates new ones later.
    for (const each of pools) if (each.destroyed) pools.delete(each);
    const made = new undici.Pool(origin, options);
    pools.add(made);
    return made;
  };
  const connect = (limits: { connections?: number; keepAliveTimeout?: number }): Dispatcher => {
    const options = { ...noTimeouts, ...limits };
    const { origin } = new URL(config.server);
    if (proxy === undefined)
      return pool(origin, { ...options, connect: noting(undici.buildConnector(tls), sockets) });
    if (proxy.startsWith('socks')) {
      const connector = socksConnector(undici, new URL(proxy), tls);
      return pool(origin, { ...options, connect: noting(connector, sockets) });
    }
    const ProxyAgent = loadProxyAgent();
    return new ProxyAgent({
      ...options,
      uri: proxy,
      requestTls: tls,
      // The cluster's authorities or any other authority may have signed the proxy's certificate.
      proxyTls: {
        ...(ca !== undefined && { ca: [ca, ...rootCertificates] }),
        rejectUnauthorized: tls.rejectUnauthorized,
      },
      // A closing agent no longer tracks its pools, so each one is destroyed separately.
      factory: pool,
      clientFactory: (url, { connect: connector, ...rest }: { connect: buildConnector.connector }) =>
        pool(url, { ...rest, connect: noting(connector, sockets) }),
    });
  };
  const requests = connect({ connections, keepAliveTimeout });
  const watches = connect({});
  return {
    requests,
    watch: async (request) => {
      const { statusCode, headers, body } = await undici.request.call(watches, { ...request, method: 'GET' });
      return { status: statusCode, headers, body };
    },
    close: () => Promise.all([requests.close(), watches.close()]),
    destroy: () => {
      const destroyed = Promise.all([requests, watches, ...pools].map((each) => each.destroy()));
      for (const socket of sockets) socket.destroy();
      return destroyed;
    },
  };
}

/**
 * Wraps the connector so the set contains its sockets until they close: a pool does not track sockets that are still
 * connecting, or that a proxy has turned into a tunnel. Without this, a server that never finishes the handshake would
 * keep the process alive for 10 s after `close`.
 */
function noting(connector: buildConnector.connector, sockets: Set<Socket>): buildConnector.connector {
  return (options, callback) => {
    // The declared type says that it returns nothing.
    const socket = connector(options, callback) as unknown as Socket | undefined;
    if (!socket) return;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
}

function secureContext(options: SecureContextOptions): ReturnType<typeof createSecureContext> {
  try {
    return createSecureContext(options);
  } catch (error) {
    throw new ConnectionConfigError(
      `The certificates of the connection cannot be used: ${errorMessage(error)}`,
      'Check certificate-authority, client-certificate and client-key in the kubeconfig; all are PEM.',
    );
  }
}
