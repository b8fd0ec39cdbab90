import type { ConnectionConfig } from './connection-config.ts';

/** Returns why parts of a connection conflict, by client-go's rules; undefined if they do not. */
export function conflictIn(config: ConnectionConfig): string | undefined {
  const isBasic = Boolean(config.username) || Boolean(config.password);
  if (isBasic && (config.token || config.tokenFile)) {
    return 'a token and a user name with password cannot both be used';
  }
  if (Boolean(config.certData || config.certFile) !== Boolean(config.keyData || config.keyFile)) {
    return 'a client certificate and its key must both be given';
  }
  if (config.insecureSkipTlsVerify && (config.caData || config.caFile)) {
    return 'certificate authorities have no effect when the certificate of the server is not verified';
  }
  if (config.proxyUrl !== undefined && !isProxyUrl(config.proxyUrl)) {
    // Do not quote it: it may contain a password.
    return 'the proxy is not an http, https or socks5 URL';
  }
  return undefined;
}

const proxyProtocols = new Set(['http:', 'https:', 'socks5:', 'socks5h:']);

/** Returns true for the URL of a supported proxy. */
export function isProxyUrl(url: string): boolean {
  return URL.canParse(url) && proxyProtocols.has(new URL(url).protocol);
}
