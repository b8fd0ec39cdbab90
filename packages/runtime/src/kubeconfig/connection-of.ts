import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { errorMessage } from '../errors/error-message.ts';
import type { ConnectionConfig } from './connection-config.ts';
import { ConnectionConfigError } from './connection-config-error.ts';
import type { Entry, Kubeconfig } from './read-kubeconfigs.ts';

/** Features that would be dropped silently if they were not refused here: the connection would be a wrong one. */
const refusedOfUser: Record<string, string> = {
  exec: 'a credential plugin (exec)',
  'auth-provider': 'an auth provider',
  username: 'a user name and password',
  as: 'impersonation (as)',
  'as-uid': 'impersonation (as-uid)',
  'as-groups': 'impersonation (as-groups)',
};

/**
 * The connection that a context describes.
 * @param context the context's name; `current-context` when undefined.
 * @throws {ConnectionConfigError} when the context, its cluster or its user is missing or not supported.
 */
export async function connectionOf(
  kubeconfig: Kubeconfig,
  context: string | undefined,
): Promise<ConnectionConfig> {
  const contextEntry = contextOf(kubeconfig, context);
  const cluster = named(kubeconfig.clusters, 'cluster', text(contextEntry, 'cluster'), contextEntry);
  const server = text(cluster, 'server');
  if (!server || !URL.canParse(server)) {
    throw invalid(cluster, `server ${JSON.stringify(server ?? '')} is not a URL`);
  }
  if (text(cluster, 'proxy-url')) throw unsupported(cluster, 'a proxy (proxy-url)');
  const config: ConnectionConfig = { server };
  const serverName = text(cluster, 'tls-server-name');
  if (serverName) config.tlsServerName = serverName;
  if (cluster.body['insecure-skip-tls-verify'] === true) config.insecureSkipTlsVerify = true;
  const caData = await pem(cluster, 'certificate-authority');
  if (caData) config.caData = caData;
  const namespace = text(contextEntry, 'namespace');
  if (namespace) config.namespace = namespace;
  const userName = text(contextEntry, 'user');
  if (userName) await addCredentials(config, named(kubeconfig.users, 'user', userName, contextEntry));
  return config;
}

function contextOf(kubeconfig: Kubeconfig, wanted: string | undefined): Entry {
  const name = wanted ?? kubeconfig.currentContext;
  const known = [...kubeconfig.contexts.keys()];
  const entry = name ? kubeconfig.contexts.get(name) : undefined;
  if (entry) return entry;
  throw new ConnectionConfigError(
    name
      ? `${kubeconfig.files.join(', ')} has no context ${JSON.stringify(name)}`
      : `${kubeconfig.files.join(', ')} has no current-context`,
    known.length > 0
      ? `Choose one of: ${known.join(', ')}.`
      : 'Add one with `kubectl config set-context NAME --cluster=CLUSTER --user=USER`.',
  );
}

async function addCredentials(config: ConnectionConfig, user: Entry): Promise<void> {
  for (const [field, what] of Object.entries(refusedOfUser)) {
    if (user.body[field] !== undefined) throw unsupported(user, what);
  }
  const token = text(user, 'token');
  if (token) config.token = token;
  const tokenFile = text(user, 'tokenFile');
  if (tokenFile) config.tokenFile = resolve(user.directory, tokenFile);
  const certData = await pem(user, 'client-certificate');
  const keyData = await pem(user, 'client-key');
  if (Boolean(certData) !== Boolean(keyData)) {
    throw invalid(user, 'client-certificate and client-key must both be given');
  }
  if (certData && keyData) {
    config.certData = certData;
    config.keyData = keyData;
  }
}

function named(entries: Map<string, Entry>, what: string, name: string | undefined, context: Entry): Entry {
  const entry = name ? entries.get(name) : undefined;
  if (entry) return entry;
  throw invalid(context, `the context names the ${what} ${JSON.stringify(name ?? '')}, which is not there`);
}

function text(entry: Entry, field: string): string | undefined {
  const value = entry.body[field];
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  throw invalid(entry, `${field} is not a string`);
}

/** `<field>-data` in base64, which wins as in kubectl, or the file that `<field>` names. */
async function pem(entry: Entry, field: string): Promise<string | undefined> {
  const data = text(entry, `${field}-data`);
  if (data) return Buffer.from(data, 'base64').toString('utf8');
  const path = text(entry, field);
  if (!path) return undefined;
  try {
    return await readFile(resolve(entry.directory, path), 'utf8');
  } catch (error) {
    throw invalid(entry, `cannot read ${field}: ${errorMessage(error)}`, error);
  }
}

function invalid(entry: Entry, what: string, cause?: unknown): ConnectionConfigError {
  return new ConnectionConfigError(
    `the kubeconfig ${entry.file} is invalid: ${what}`,
    'Correct the file.',
    cause,
  );
}

function unsupported(entry: Entry, what: string): ConnectionConfigError {
  return new ConnectionConfigError(
    `the kubeconfig ${entry.file} needs ${what}, which is not supported`,
    'Use a context whose user has a token, a tokenFile or a client certificate.',
  );
}
