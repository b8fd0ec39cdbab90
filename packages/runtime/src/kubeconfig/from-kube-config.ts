import { conflictIn } from './conflict-in.ts';
import { type ConnectionConfig, ConnectionConfigError, withoutUndefined } from './connection-config.ts';
import { Entry, isSection } from './entry.ts';
import { execPluginOf } from './exec-plugin-of.ts';

/** What `fromKubeConfig` needs of a `KubeConfig` of @kubernetes/client-node 1.x or 2.x, which is not a dependency. */
export interface KubeConfigLike {
  /** The name of the current context. */
  currentContext?: string;
  /** The context with this name. Only its namespace is used. */
  getContextObject(name: string): { namespace?: string | undefined } | null;
  /** The API server; data is in base64. */
  getCurrentCluster(): {
    name: string;
    server: string;
    caData?: string | undefined;
    caFile?: string | undefined;
    tlsServerName?: string | undefined;
    skipTLSVerify?: boolean | undefined;
    proxyUrl?: string | undefined;
  } | null;
  /** The user; data is in base64. */
  getCurrentUser(): {
    name: string;
    token?: string | undefined;
    username?: string | undefined;
    password?: string | undefined;
    certData?: string | undefined;
    certFile?: string | undefined;
    keyData?: string | undefined;
    keyFile?: string | undefined;
    exec?: unknown;
    authProvider?: unknown;
    impersonateUser?: string | undefined;
  } | null;
  /** Adds the headers of an auth provider to the options of a request. */
  applyToHTTPSOptions(options: object): Promise<void>;
}

type Cluster = NonNullable<ReturnType<KubeConfigLike['getCurrentCluster']>>;
type User = NonNullable<ReturnType<KubeConfigLike['getCurrentUser']>>;

/** For errors, because no file exists to name. */
const origin = 'of @kubernetes/client-node';

/**
 * Converts the current context of a `KubeConfig` of @kubernetes/client-node, for programs that have one and for its auth
 * providers: the `KubeConfig` calls them before each request. Later changes of the current context have no effect.
 * @throws {ConnectionConfigError} if the `KubeConfig` has no current cluster, or its fields conflict.
 */
export function fromKubeConfig(kubeConfig: KubeConfigLike): ConnectionConfig {
  const cluster = kubeConfig.getCurrentCluster();
  if (!cluster?.server) {
    throw new ConnectionConfigError(
      `The KubeConfig ${origin} has no current cluster`,
      'Load it first, for example with loadFromDefault(), and choose a context that it has.',
    );
  }
  const user = kubeConfig.getCurrentUser();
  const namespace = kubeConfig.getContextObject(kubeConfig.currentContext ?? '')?.namespace?.trim();
  const config: ConnectionConfig = {
    ...clusterFields(cluster),
    ...(user && userFields(user, kubeConfig)),
    context: kubeConfig.currentContext || undefined,
    namespace: namespace || undefined,
  };
  const conflict = conflictIn(config);
  if (conflict)
    throw new ConnectionConfigError(`The KubeConfig ${origin}: ${conflict}`, 'Correct the kubeconfig.');
  return withoutUndefined(config);
}

function clusterFields(cluster: Cluster): ConnectionConfig {
  const caData = decoded(cluster.caData);
  return {
    server: cluster.server,
    caData,
    caFile: caData === undefined ? cluster.caFile || undefined : undefined,
    proxyUrl: cluster.proxyUrl || undefined,
    tlsServerName: cluster.tlsServerName || undefined,
    insecureSkipTlsVerify: cluster.skipTLSVerify || undefined,
  };
}

function userFields(user: User, kubeConfig: KubeConfigLike): Partial<ConnectionConfig> {
  const certData = decoded(user.certData);
  const keyData = decoded(user.keyData);
  return {
    certData,
    certFile: certData === undefined ? user.certFile || undefined : undefined,
    keyData,
    keyFile: keyData === undefined ? user.keyFile || undefined : undefined,
    impersonate: user.impersonateUser ? { user: user.impersonateUser } : undefined,
    ...loginFields(user, kubeConfig),
  };
}

function loginFields(user: User, kubeConfig: KubeConfigLike): Partial<ConnectionConfig> {
  if (user.authProvider) {
    const tokenFile = tokenFileOf(user.authProvider);
    return tokenFile === undefined ? { headers: () => headersOf(kubeConfig) } : { tokenFile };
  }
  return {
    token: user.token || undefined,
    username: user.username || undefined,
    password: user.password || undefined,
    exec: isSection(user.exec)
      ? execPluginOf(new Entry(user.exec, `exec of user "${user.name}"`, origin))
      : undefined,
  };
}

/** The token file that `loadFromCluster` sets for the service account of a pod. */
function tokenFileOf(provider: unknown): string | undefined {
  const { name, config } = provider as { name?: unknown; config?: { tokenFile?: unknown } };
  const file = name === 'tokenFile' ? config?.tokenFile : undefined;
  return typeof file === 'string' ? file : undefined;
}

async function headersOf(kubeConfig: KubeConfigLike): Promise<Record<string, string>> {
  const options: { headers?: Record<string, unknown> } = {};
  await kubeConfig.applyToHTTPSOptions(options);
  const headers = Object.entries(options.headers ?? {});
  return Object.fromEntries(headers.map(([name, value]) => [name, String(value)]));
}

function decoded(base64: string | undefined): string | undefined {
  return base64 ? Buffer.from(base64, 'base64').toString('utf8') : undefined;
}
