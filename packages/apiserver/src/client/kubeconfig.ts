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
  const authority = caData === undefined ? undefined : Buffer.from(caData).toString('base64');
  // Few lines, always the same: not worth loading a library at every start. JSON texts are YAML texts.
  return [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    `  - name: ${JSON.stringify(name)}`,
    '    cluster:',
    `      server: ${JSON.stringify(server)}`,
    ...(authority === undefined ? [] : [`      certificate-authority-data: ${authority}`]),
    ...(insecureSkipTlsVerify ? ['      insecure-skip-tls-verify: true'] : []),
    'users:',
    `  - name: ${JSON.stringify(name)}`,
    `    user: ${JSON.stringify({ token })}`,
    'contexts:',
    `  - name: ${JSON.stringify(name)}`,
    `    context: ${JSON.stringify({ cluster: name, user: name })}`,
    `current-context: ${JSON.stringify(name)}`,
    '',
  ].join('\n');
}
