import type { ConnectionConfig } from './connection-config.ts';
import type { Entry } from './entry.ts';

/**
 * Reads the connection settings of a cluster in a kubeconfig.
 * @throws {ConnectionConfigError} if its server is missing or not a URL, or a field has the wrong type.
 */
export function clusterFields(cluster: Entry): ConnectionConfig {
  const caData = cluster.decoded('certificate-authority-data');
  return {
    server: serverOf(cluster),
    caData,
    caFile: caData === undefined ? cluster.path('certificate-authority') : undefined,
    proxyUrl: cluster.text('proxy-url'),
    tlsServerName: cluster.text('tls-server-name'),
    insecureSkipTlsVerify: cluster.flag('insecure-skip-tls-verify') || undefined,
    disableCompression: cluster.flag('disable-compression') || undefined,
  };
}

function serverOf(cluster: Entry): string {
  const server = cluster.text('server');
  if (!server) throw cluster.invalid('it has no server');
  const url = URL.canParse(server) ? new URL(server) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw cluster.invalid(
      `server ${JSON.stringify(server)} is not a URL`,
      "Write it as 'https://host:port'.",
    );
  }
  return server;
}
