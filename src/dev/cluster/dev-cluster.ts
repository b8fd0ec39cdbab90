import type { ServiceEndpoint } from 'ots-apiserver';
import type { KubernetesObject } from 'ots-kubernetes';
import type { ConnectionConfig } from 'ots-runtime';
import type { Account, ReadPath } from 'ots-testing/tools';

/** The cluster of a session. */
export interface DevCluster {
  /** That of an administrator, whom the session is to the cluster. */
  readonly connection: ConnectionConfig;
  /** Where the API server listens. */
  readonly url: string;
  /** Reads as the administrator. */
  readonly read: ReadPath;
  /** A kubeconfig for a ServiceAccount. @throws OtsError or TestEnvironmentError when the server issues no token */
  kubeconfigFor(account: Account): Promise<string>;
  /**
   * Applies the objects of a directory, in an order in which they can be applied.
   *
   * @param include which of them. Default all.
   * @returns the objects with their namespaces and uids
   * @throws InstallError or OtsError
   */
  install(
    directory: string,
    include?: (object: KubernetesObject) => boolean,
  ): Promise<readonly KubernetesObject[]>;
  /** Sends the calls of all webhooks to one address, if the API server can reach this machine. */
  serveWebhooks(endpoint: ServiceEndpoint): Promise<void>;
  stop(): Promise<void>;
}
