import type { Connection } from './connection.ts';

/** A user of a kubeconfig. */
interface KubeconfigUser {
  readonly name: string;
  readonly token: string;
}

/**
 * A kubeconfig for one server, as YAML.
 *
 * @param name of its cluster, its first user and their context, which is the current one
 * @param others further users. Each has a context such as `jane@ots-apiserver`.
 */
export function renderKubeconfig(
  { server, caData, insecureSkipTlsVerify, ...credentials }: Connection,
  name: string,
  others: readonly KubeconfigUser[] = [],
): string {
  const users = new Map<string, object>([[name, userOf(credentials)]]);
  for (const user of others) users.set(`${user.name}@${name}`, userOf(user));
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
    ...[...users].flatMap(([user, fields]) => [
      `  - name: ${JSON.stringify(user)}`,
      `    user: ${JSON.stringify(fields)}`,
    ]),
    'contexts:',
    ...[...users.keys()].flatMap((user) => [
      `  - name: ${JSON.stringify(user)}`,
      `    context: ${JSON.stringify({ cluster: name, user })}`,
    ]),
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
