import { access, constants } from 'node:fs/promises';
import { errorMessage } from '../errors/error-message.ts';
import { clusterFields } from './cluster-fields.ts';
import { conflictIn } from './conflict-in.ts';
import { type ConnectionConfig, ConnectionConfigError, withoutUndefined } from './connection-config.ts';
import type { Entry } from './entry.ts';
import { printable } from './printable.ts';
import type { Kubeconfig } from './read-kubeconfigs.ts';
import { credentialFields, impersonationOf } from './user-fields.ts';

/** https://kubernetes.io/docs/reference/config-api/client-authentication.v1/#client-authentication-k8s-io-v1-Cluster */
const execExtension = 'client.authentication.k8s.io/exec';

/**
 * Reads the connection of a context.
 * @param context the context's name; `current-context` when undefined.
 * @throws {ConnectionConfigError} when the context, its cluster or its user is missing or contradicts itself.
 */
export async function connectionOf(
  kubeconfig: Kubeconfig,
  context: string | undefined,
): Promise<ConnectionConfig> {
  const name = context ?? kubeconfig.currentContext;
  const contextEntry = contextOf(kubeconfig, name);
  const cluster = named(kubeconfig.clusters, 'cluster', contextEntry.text('cluster'), contextEntry);
  const userName = contextEntry.text('user');
  const user = userName ? named(kubeconfig.users, 'user', userName, contextEntry) : undefined;
  const config: ConnectionConfig = {
    ...clusterFields(cluster),
    ...(user && userFieldsOf(user, cluster)),
    context: name,
    namespace: contextEntry.text('namespace'),
  };
  const conflict = conflictIn(config);
  if (conflict) throw contextEntry.invalid(conflict);
  await checkFile(cluster, 'certificate-authority', config.caFile);
  if (user) {
    await checkFile(user, 'client-certificate', config.certFile);
    await checkFile(user, 'client-key', config.keyFile);
    if (!config.token) await checkFile(user, 'tokenFile', config.tokenFile);
  }
  return withoutUndefined(config);
}

/** As in kubectl, a server without TLS receives no credentials, but it does receive the impersonated user. */
function userFieldsOf(user: Entry, cluster: Entry): Partial<ConnectionConfig> {
  const credentials = credentialFields(user);
  const { exec } = credentials;
  if (exec?.provideClusterInfo) {
    const extension = cluster.entries('extensions').find((each) => each.text('name') === execExtension);
    exec.clusterConfig = extension?.raw('extension');
  }
  const isSecure = cluster.text('server')?.toLowerCase().startsWith('https:');
  return { ...(isSecure && credentials), impersonate: impersonationOf(user) };
}

function contextOf(kubeconfig: Kubeconfig, name: string | undefined): Entry {
  const known = [...kubeconfig.contexts.keys()];
  const entry = name ? kubeconfig.contexts.get(name) : undefined;
  if (entry) return entry;
  throw new ConnectionConfigError(
    name
      ? `${kubeconfig.files.join(', ')} has no context ${printable(JSON.stringify(name))}`
      : `${kubeconfig.files.join(', ')} has no current-context`,
    known.length > 0
      ? `Choose one of: ${known.map(printable).join(', ')}.`
      : 'Add one with `kubectl config set-context NAME --cluster=CLUSTER --user=USER`.',
  );
}

function named(entries: Map<string, Entry>, what: string, name: string | undefined, context: Entry): Entry {
  const entry = name ? entries.get(name) : undefined;
  if (entry) return entry;
  throw context.invalid(`the context names the ${what} ${JSON.stringify(name ?? '')}, which does not exist`);
}

/** Reports a wrong path now instead of with the first request. */
async function checkFile(entry: Entry, field: string, path: string | undefined): Promise<void> {
  if (path === undefined) return;
  try {
    await access(path, constants.R_OK);
  } catch (error) {
    throw entry.invalid(`cannot read ${field}: ${errorMessage(error)}`, 'Correct the path.', error);
  }
}
