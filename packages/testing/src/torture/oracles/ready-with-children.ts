import { DaemonSet, Deployment, StatefulSet } from 'ots-kubernetes/apps/v1';
import { type Client, type Condition, type DeepReadonly, type UnstructuredObject } from 'ots-runtime';
import type { Oracle, World } from './oracle.ts';

/**
 * Finds an operator that says that its object is ready while nothing of it works: a condition `Ready` or `Available` is True for the present
 * generation, and a Deployment, StatefulSet or DaemonSet that the object owns wants pods and has none that is ready. Looks at the end of each
 * plan, and while workloads fail.
 */
export const readyWithChildren: Oracle = {
  name: 'ready with children',
  check: falseReadiness,
  checkWhileFailing: falseReadiness,
};

async function falseReadiness({ client, object }: World): Promise<string[]> {
  const claim = object && claimOf(object);
  if (!claim) return [];
  const workloads = await workloadsIn(client);
  return workloads
    .filter(({ owners, isDown }) => isDown && owners.includes(object.metadata.uid!))
    .map(({ name }) => `${name}: no pod is ready, and the condition ${claim} is True`);
}

/** The type of the condition that says that all is well now. */
function claimOf(object: DeepReadonly<UnstructuredObject>): string | undefined {
  const { generation } = object.metadata;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the conventions of the Kubernetes API
  const { conditions = [], observedGeneration = generation } = (object['status'] ?? {}) as Status;
  const claim = conditions.find(
    (condition) =>
      ['Ready', 'Available'].includes(condition.type) &&
      condition.status === 'True' &&
      (condition.observedGeneration ?? observedGeneration) === generation,
  );
  return claim?.type;
}

interface Status {
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number;
}

/** What creates pods. */
interface Workload {
  /** Such as `deployments.apps default/web`. */
  readonly name: string;
  /** UIDs. */
  readonly owners: readonly string[];
  /** Whether it wants pods as it is now, and none is ready. */
  readonly isDown: boolean;
}

async function workloadsIn(client: Client): Promise<Workload[]> {
  const [deployments, statefulSets, daemonSets] = await Promise.all([
    client.list(Deployment),
    client.list(StatefulSet),
    client.list(DaemonSet),
  ]);
  return [
    ...deployments.items.map((each) =>
      workloadOf('deployments', each, each.spec?.replicas ?? 1, each.status?.readyReplicas),
    ),
    ...statefulSets.items.map((each) =>
      workloadOf('statefulsets', each, each.spec?.replicas ?? 1, each.status?.readyReplicas),
    ),
    ...daemonSets.items.map((each) =>
      workloadOf('daemonsets', each, each.status?.desiredNumberScheduled ?? 0, each.status?.numberReady),
    ),
  ];
}

function workloadOf(
  plural: string,
  { metadata, status }: DeepReadonly<Deployment | StatefulSet | DaemonSet>,
  wanted: number,
  ready = 0,
): Workload {
  // Otherwise nothing is known of the present generation.
  const isSeen = status?.observedGeneration === metadata.generation;
  return {
    name: `${plural}.apps ${metadata.namespace}/${metadata.name}`,
    owners: (metadata.ownerReferences ?? []).map(({ uid }) => uid),
    isDown: isSeen && wanted > 0 && ready === 0,
  };
}
