import type { Clock } from '../clock/clock.ts';
import type { ExecPluginConfig } from './exec-plugin-config.ts';
import type { Impersonation } from './impersonation.ts';

/**
 * How to reach an API server, and as whom. `loadConfig` reads it from where Kubernetes tools keep it.
 * It is plain data but for `headers` and `clock`. A field of data (`caData`) wins over its file (`caFile`). Files are read again
 * when a minute old, and at once when the server refuses what was in them or its certificate is not trusted any more;
 * new connections then use what is in them.
 * Over `http://` all credentials are sent in the clear, as in a test against a local server: `loadConfig` therefore
 * leaves those of a kubeconfig out when the server has no TLS, as kubectl does.
 */
export interface ConnectionConfig {
  /** `https://host:port`, or `http://…` for a server without TLS. A path prefix is kept. */
  server: string;
  /** A bearer token. */
  token?: string | undefined;
  /** A file with the bearer token; wins over `token`, which serves while the file cannot be read. */
  tokenFile?: string | undefined;
  /** Basic authentication, which Kubernetes itself no longer has, but a proxy in front of it may. Not with a token. */
  username?: string | undefined;
  /** Goes with `username`. */
  password?: string | undefined;
  /** The certificate authorities to trust, PEM. Node's own when neither this nor `caFile` is given. */
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
  /** A credential plugin. Not run when there is a token, a user name or a client certificate. */
  exec?: ExecPluginConfig | undefined;
  /** Headers to add to each request, such as `authorization`, from credentials that nothing else here can express. */
  headers?: (() => Promise<Record<string, string>>) | undefined;
  /** Act as somebody else; not by default. */
  impersonate?: Impersonation | undefined;
  /**
   * `http://`, `https://` or `socks5://` proxy to reach the server through. When absent, `HTTPS_PROXY` (`HTTP_PROXY`
   * for an http server) and `NO_PROXY` of the environment say it, by Go's rules: never for localhost.
   */
  proxyUrl?: string | undefined;
  /** The name to check the server's certificate against, when it is not the host of `server`. */
  tlsServerName?: string | undefined;
  /** Accept any server certificate. For experiments only; not together with certificate authorities. False by default. */
  insecureSkipTlsVerify?: boolean | undefined;
  /** Have answers sent uncompressed, which is faster where the network is. Default: false. */
  disableCompression?: boolean | undefined;
  /** Where this comes from, for logs: the name of the context, or `in-cluster` for the service account of a pod. */
  context?: string | undefined;
  /** The namespace of the current context, or of the pod. */
  namespace?: string | undefined;
  /**
   * The time that the network takes: request timeouts, pauses between repetitions and watchdogs of watches measure it.
   * The system's clock by default, whatever clock the manager has: a server that answers in real time must not be timed
   * by a clock that a test moves. Only a simulated connection has another one.
   */
  clock?: Clock | undefined;
}
