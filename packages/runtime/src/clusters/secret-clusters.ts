import { Secret } from 'ots-kubernetes/core/v1';
import type { ClusterProvider } from './cluster-provider.ts';
import { secretSets } from './secret-sets.ts';

/** Which Secrets describe clusters. */
export interface SecretClustersOptions {
  /** The namespace of the Secrets, in the manager's own cluster. Users who may write Secrets there decide which clusters join. */
  namespace: string;
  /** Selects the Secrets; `sigs.k8s.io/multicluster-runtime-kubeconfig=true` by default, as in multicluster-runtime. */
  labelSelector?: string | undefined;
  /** The field with the kubeconfig; `kubeconfig` by default. That of Cluster API is `value`. */
  key?: string | undefined;
}

/**
 * Each Secret with a kubeconfig is a cluster, with the name of the Secret. They join, change and leave with their Secrets. A
 * kubeconfig must contain its credentials: one that names a program to run or a file to read is refused, because both would be
 * those of the operator. The operator needs the rights to get, list and watch Secrets in the namespace.
 */
export function secretClusters({
  namespace,
  labelSelector = 'sigs.k8s.io/multicluster-runtime-kubeconfig=true',
  key = 'kubeconfig',
}: SecretClustersOptions): ClusterProvider {
  return {
    clusters: (context) =>
      secretSets(context, { namespace, labelSelector, key }, async (cache, connectionOf) => {
        const entries = cache
          .list(Secret)
          .map(async (secret) => [secret.metadata.name!, await connectionOf(secret)] as const);
        return Object.fromEntries(await Promise.all(entries));
      }),
  };
}
