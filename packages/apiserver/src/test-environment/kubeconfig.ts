import { stringify } from 'yaml';
import type { Connection } from './connection.ts';

/**
 * A kubeconfig for one server, as YAML.
 *
 * @param name of its cluster, user and context
 */
export function renderKubeconfig(
  { server, token, caData, insecureSkipTlsVerify }: Connection,
  name: string,
): string {
  const cluster = {
    server,
    ...(caData !== undefined && { 'certificate-authority-data': Buffer.from(caData).toString('base64') }),
    ...(insecureSkipTlsVerify && { 'insecure-skip-tls-verify': true }),
  };
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster }],
    users: [{ name, user: token === undefined ? {} : { token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}
