import { type Condition, type KubernetesObject, defineKind } from 'ots-kubernetes';
import { type Secret as SecretObject, Secret } from 'ots-kubernetes/core/v1';
import { findCondition } from '../conditions/find-condition.ts';
import { type ConnectionConfig, ConnectionConfigError } from '../kubeconfig/connection-config.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { ClusterProvider } from './cluster-provider.ts';
import { type ReadConnection, secretSets } from './secret-sets.ts';

/** Which ClusterProfiles are clusters of the operator. */
export interface ClusterProfilesOptions {
  /** The namespace of the ClusterProfiles and their Secrets, in the manager's own cluster. */
  namespace: string;
  /** Who the Secrets are for: the value of their label `x-k8s.io/cluster-inventory-consumer`. */
  consumer: string;
}

/** The parts of a ClusterProfile that matter here. */
interface ClusterProfile extends KubernetesObject {
  apiVersion: 'multicluster.x-k8s.io/v1alpha1';
  kind: 'ClusterProfile';
  status?: { conditions?: Condition[] };
}

const ClusterProfile = defineKind<ClusterProfile>({
  apiVersion: 'multicluster.x-k8s.io/v1alpha1',
  kind: 'ClusterProfile',
  plural: 'clusterprofiles',
  scope: 'Namespaced',
});

const consumerLabel = 'x-k8s.io/cluster-inventory-consumer';
const profileLabel = 'x-k8s.io/cluster-profile';

/**
 * Each ClusterProfile of the Cluster Inventory API is a cluster, with the name of the profile. It joins when its condition
 * `ControlPlaneHealthy` is true and the consumer has a Secret for it, which the label `x-k8s.io/cluster-profile` connects with it,
 * with a kubeconfig in the field `Config`. A cluster that becomes unhealthy stays: its requests wait for it. The kubeconfig must contain its
 * credentials, as for `secretClusters`. The operator needs the rights to get, list and watch both kinds in the namespace.
 * https://github.com/kubernetes/enhancements/blob/master/keps/sig-multicluster/4322-cluster-inventory/README.md
 */
export function clusterProfiles({ namespace, consumer }: ClusterProfilesOptions): ClusterProvider {
  const options = {
    namespace,
    labelSelector: `${consumerLabel}=${consumer}`,
    key: 'Config',
    kind: ClusterProfile,
  };
  return {
    clusters: (context) =>
      secretSets(context, options, async (cache, connectionOf) => {
        const secrets = cache.list(Secret);
        const entries = cache.list(ClusterProfile).map(async (profile) => {
          const { name } = profile.metadata;
          const own = secrets.filter(({ metadata }) => metadata.labels?.[profileLabel] === name);
          return [name!, await accessTo(profile, own, connectionOf)] as const;
        });
        return Object.fromEntries(await Promise.all(entries));
      }),
  };
}

async function accessTo(
  { metadata: { name }, status }: DeepReadonly<ClusterProfile>,
  secrets: readonly DeepReadonly<SecretObject>[],
  connectionOf: ReadConnection,
): Promise<ConnectionConfig | Error> {
  const health = findCondition(status?.conditions, 'ControlPlaneHealthy');
  if (health?.status !== 'True') {
    const state = health ? `${health.status}: ${health.message}` : 'missing';
    return new ConnectionConfigError(
      `The condition ControlPlaneHealthy of the ClusterProfile ${name} is ${state}`,
      'Look at the cluster, and at the cluster manager that keeps the profile.',
    );
  }
  const [secret] = secrets;
  if (secret && secrets.length === 1) return connectionOf(secret);
  return new ConnectionConfigError(
    `The consumer has ${secret ? `${secrets.length} Secrets` : 'no Secret'} for the ClusterProfile ${name}`,
    `Create one, with the labels ${consumerLabel} and ${profileLabel}.`,
  );
}
