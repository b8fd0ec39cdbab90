import type { RequestListener } from 'node:http';
import type { Clock } from 'ots-apimachinery/clock/clock';
import type { LocalCall } from './local-call.ts';
import type { LocalExchange } from './local-exchange.ts';
import type { LocalMirror } from './local-mirror.ts';
import { RuntimeError } from '../errors/runtime-error.ts';

/**
 * A program that provides credentials, as `users[].user.exec` of a kubeconfig describes it.
 * https://kubernetes.io/docs/reference/access-authn-authz/authentication/#client-go-credential-plugins
 */
export interface ExecPluginConfig {
  /** `client.authentication.k8s.io/v1` or `client.authentication.k8s.io/v1beta1`; the plugin must use the same. */
  apiVersion: string;
  /** The program: a path, or a name to look up in `PATH`. It is started without a shell. */
  command: string;
  /** Its arguments; none by default. */
  args?: string[] | undefined;
  /** Added to the environment of this process; nothing by default. */
  env?: { name: string; value: string }[] | undefined;
  /** The hint to show if the program is not installed; none by default. */
  installHint?: string | undefined;
  /** Whether the plugin receives the server's address and certificate authorities. Default: false. */
  provideClusterInfo?: boolean | undefined;
  /**
   * Whether the plugin receives standard input: never, if it is a terminal, or always, which fails without a terminal.
   * Default: IfAvailable.
   */
  interactiveMode?: 'Never' | 'IfAvailable' | 'Always' | undefined;
  /** Passed on when `provideClusterInfo`: the cluster's extension `client.authentication.k8s.io/exec`. */
  clusterConfig?: unknown;
}

/**
 * The user to impersonate. The server must allow the verb `impersonate` for all of it.
 * https://kubernetes.io/docs/reference/access-authn-authz/user-impersonation/
 */
export interface Impersonation {
  /** The name to act under. */
  user: string;
  /** The uid to act under; none by default. */
  uid?: string | undefined;
  /** The groups to act in; by default those that the server gives every authenticated user. */
  groups?: string[] | undefined;
  /** Further attributes, by name; none by default. */
  extra?: Record<string, string[]> | undefined;
}

/**
 * How to reach an API server, and as which user. `loadConfig` finds it where Kubernetes tools do. It is plain data
 * except for `headers`, `clock`, `random`, `exchange`, `track`, `passTime`, `mirror`, `call` and `services`. A data field (`caData`) takes precedence over its file (`caFile`). Files are
 * read again after a minute, and at once if the server refuses their contents or its certificate is no longer trusted;
 * new connections then use the new contents. Over `http://`, for example in a test
 * against a local server, credentials are sent in clear text. `loadConfig` therefore omits the credentials of a
 * kubeconfig when the server has no TLS, as kubectl does.
 */
export interface ConnectionConfig {
  /** `https://host:port`, or `http://…` for a server without TLS. A path prefix is kept. */
  server: string;
  /** A bearer token. */
  token?: string | undefined;
  /** A file with the bearer token. It takes precedence over `token`, which is used while the file cannot be read. */
  tokenFile?: string | undefined;
  /** Basic authentication. Kubernetes no longer supports it, but a proxy in front of it may. Not with a token. */
  username?: string | undefined;
  /** The password of `username`. */
  password?: string | undefined;
  /** The certificate authorities to trust, PEM. Node's defaults if neither this nor `caFile` is given. */
  caData?: string | undefined;
  /** A file with them. */
  caFile?: string | undefined;
  /** The client certificate, PEM. */
  certData?: string | undefined;
  /** A file with it. */
  certFile?: string | undefined;
  /** The key of the client certificate, PEM. */
  keyData?: string | undefined;
  /** A file with it. */
  keyFile?: string | undefined;
  /** A credential plugin. Not used if a token, a user name or a client certificate is given. */
  exec?: ExecPluginConfig | undefined;
  /** Headers to add to each request, such as `authorization`, for credentials that no other option covers. */
  headers?: (() => Promise<Record<string, string>>) | undefined;
  /** Impersonates another user; none by default. */
  impersonate?: Impersonation | undefined;
  /**
   * An `http://`, `https://` or `socks5://` proxy for the server. By default `HTTPS_PROXY` (`HTTP_PROXY` for an http
   * server) and `NO_PROXY` in the environment, by Go's rules: never for localhost.
   */
  proxyUrl?: string | undefined;
  /** The name to check the server's certificate against, if it is not the host of `server`. */
  tlsServerName?: string | undefined;
  /**
   * Accepts any server certificate. Only for experiments; cannot be combined with certificate authorities. False by
   * default.
   */
  insecureSkipTlsVerify?: boolean | undefined;
  /** Requests uncompressed responses, which is faster on a fast network. False by default. */
  disableCompression?: boolean | undefined;
  /** The source of this config, for logs: the name of the context, or `in-cluster` for the service account of a pod. */
  context?: string | undefined;
  /** The namespace of the current context, or of the pod. */
  namespace?: string | undefined;
  /**
   * Measures the time that the network takes: request timeouts, delays between retries and watchdogs of watches. The
   * system's clock by default, whatever clock the manager has: a clock that a test moves must not time a server that
   * responds in real time. Only a simulated connection has another clock.
   */
  clock?: Clock | undefined;
  /**
   * A number in [0, 1), for the jitter of delays and the names that the operator invents. `Math.random` by default.
   * Together with `clock` and `exchange` it makes what an operator does reproducible.
   */
  random?: (() => number) | undefined;
  /** Only of an API server in this process: answers requests instead of a network. None by default. */
  exchange?: LocalExchange | undefined;
  /**
   * Only of a simulated cluster: runs every reconcile of the managers on this connection, to know what is still busy.
   * @internal
   */
  track?: (<T>(what: string, work: () => Promise<T>) => Promise<T>) | undefined;
  /**
   * Only of a simulated cluster: moves time while something needs it to end, such as the stop of a manager.
   * @internal
   */
  passTime?: ((until: Promise<unknown>) => Promise<void>) | undefined;
  /**
   * Only of a simulated cluster: fills caches of whole collections without requests. None by default.
   * @internal
   */
  mirror?: LocalMirror | undefined;
  /**
   * Only of a component beside an API server in its process: answers requests without HTTP. None by default.
   * @internal
   */
  call?: LocalCall | undefined;
  /** Only of an API server on this machine that runs no pods, as in tests: where Services listen. None by default. */
  services?: ServiceMap | undefined;
}

/**
 * Where the Services of a cluster listen on this machine. The API server of a test has it, because it runs no pods: a manager
 * without `webhooks` maps every Service to its own webhooks there.
 */
export interface ServiceMap {
  /**
   * Maps a Service to an address.
   * @param service `namespace/name`, or `*` for every Service without an address of its own.
   * @param endpoint the URL without a path, and the certificates in PEM to trust there. `handle` answers what arrives there, for an API
   *   server that needs no network.
   */
  set(
    service: string,
    endpoint: { url: string; ca?: string; handle?: RequestListener },
  ): void | Promise<void>;
  /**
   * Removes the address of a Service.
   * @param service as in `set`.
   */
  delete(service: string): void | Promise<void>;
}

/** The connection to the API server cannot be configured: a file is missing, malformed or not supported. */
export class ConnectionConfigError extends RuntimeError {
  /** Stable; to branch on. */
  readonly code = 'CONNECTION_CONFIG';
}

/** The config without undefined fields: configs are printed and compared. */
export function withoutUndefined(config: ConnectionConfig): ConnectionConfig {
  const fields = Object.entries(config).filter(([, value]) => value !== undefined);
  return Object.fromEntries(fields) as unknown as ConnectionConfig;
}
