/** How to reach an API server. Plain data: `loadConfig` reads it from where Kubernetes tools keep it. */
export interface ConnectionConfig {
  /** `https://host:port`, or `http://…` for a server without TLS. A path prefix is kept. */
  server: string;
  /** A bearer token. */
  token?: string | undefined;
  /** A file with the bearer token; wins over `token` and is read again when it is a minute old. */
  tokenFile?: string | undefined;
  /** The certificate authorities to trust, PEM. Node's own when absent. */
  caData?: string | undefined;
  /** The client certificate, PEM. */
  certData?: string | undefined;
  /** The key of the client certificate, PEM. */
  keyData?: string | undefined;
  /** The name to check the server's certificate against, when it is not the host of `server`. */
  tlsServerName?: string | undefined;
  /** Accept any server certificate. For experiments only. */
  insecureSkipTlsVerify?: boolean | undefined;
  /** The namespace of the current context, or of the pod. */
  namespace?: string | undefined;
}
