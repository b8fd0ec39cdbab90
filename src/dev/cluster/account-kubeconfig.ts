import { readFile } from 'node:fs/promises';
import type { ConnectionConfig } from 'ots-runtime';

const name = 'ots-dev';

/** The user of a kubeconfig. */
type AccountUser =
  | { readonly token: string }
  | { readonly as: string; readonly 'as-groups': readonly string[] };

/**
 * A kubeconfig that reaches a server as another connection does, but as another user.
 *
 * @param user the credentials, as in a kubeconfig
 * @returns JSON, which is YAML, too
 */
export async function accountKubeconfig(connection: ConnectionConfig, user: AccountUser): Promise<string> {
  const { server, caFile, proxyUrl, tlsServerName, insecureSkipTlsVerify, disableCompression } = connection;
  const ca = connection.caData ?? (caFile === undefined ? undefined : await readFile(caFile, 'utf8'));
  const cluster = {
    server,
    ...(ca !== undefined && { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ...(proxyUrl !== undefined && { 'proxy-url': proxyUrl }),
    ...(tlsServerName !== undefined && { 'tls-server-name': tlsServerName }),
    ...(insecureSkipTlsVerify && { 'insecure-skip-tls-verify': true }),
    ...(disableCompression && { 'disable-compression': true }),
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster }],
    users: [{ name, user }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}
