import type { Connection } from './connection.ts';

/**
 * A kubeconfig for one server, as YAML.
 *
 * @param name of its cluster, user and context
 */
export function renderKubeconfig(
  { server, caData, insecureSkipTlsVerify, ...credentials }: Connection,
  name: string,
): string {
  // Few lines, always the same: not worth loading a library at every start. JSON texts are YAML texts.
  return [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    `  - name: ${JSON.stringify(name)}`,
    '    cluster:',
    `      server: ${JSON.stringify(server)}`,
    ...(caData === undefined ? [] : [`      certificate-authority-data: ${base64(caData)}`]),
    ...(insecureSkipTlsVerify ? ['      insecure-skip-tls-verify: true'] : []),
    'users:',
    `  - name: ${JSON.stringify(name)}`,
    `    user: ${JSON.stringify(userOf(credentials))}`,
    'contexts:',
    `  - name: ${JSON.stringify(name)}`,
    `    context: ${JSON.stringify({ cluster: name, user: name })}`,
    `current-context: ${JSON.stringify(name)}`,
    '',
  ].join('\n');
}

function userOf({ token, certData, keyData }: Pick<Connection, 'token' | 'certData' | 'keyData'>): object {
  return {
    token,
    ...(certData !== undefined && { 'client-certificate-data': base64(certData) }),
    ...(keyData !== undefined && { 'client-key-data': base64(keyData) }),
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
