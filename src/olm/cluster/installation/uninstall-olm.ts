import type { UnstructuredObject } from 'ots-runtime';
import type { Cluster } from '../../../deploy/cluster.ts';
import { deleteInOrder } from '../../../deploy/delete-in-order.ts';
import { groupOf } from '../../../deploy/object-name.ts';
import type { Deadline } from '../../../deploy/poll.ts';
import type { Progress } from '../../../deploy/progress.ts';
import { OtsError } from '../../../errors/ots-error.ts';
import { oneLine } from '../../../output/one-line.ts';
import { isCopy } from '../installed.ts';
import { ClusterExtension, ClusterServiceVersion, Subscription } from '../kinds.ts';
import { listOf } from '../requests.ts';
import { applySetOf } from './install-olm.ts';
import { type Release, namespaceIn } from './release.ts';

/** How to uninstall. */
export interface UninstallOptions {
  /** Also with operators, which go with it. */
  readonly force: boolean;
  readonly deadline: Deadline;
  readonly progress: Progress;
  readonly dryRun: boolean;
}

const ownGroups = new Set(['operators.coreos.com', 'olm.operatorframework.io']);
const maxNames = 5;

/** OLM creates it for one of its own operators. With nothing behind it, the server could not delete namespaces. */
const packageApi: UnstructuredObject = {
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata: { name: 'v1.packages.operators.coreos.com' },
};

/**
 * Removes OLM: objects of its kinds and its CRDs first, while it still runs and can remove finalizers, then the rest.
 *
 * @param manifests of OLM, if ots has not installed it
 * @returns whether there was anything that ots could know of
 * @throws OtsError `HAS_OPERATORS` if OLM still has operators, `NOT_DELETED` for what still exists when the time is up
 */
export async function uninstallOlm(
  cluster: Cluster,
  manifests: readonly UnstructuredObject[],
  release: Release,
  { force, deadline, progress, dryRun }: UninstallOptions,
): Promise<boolean> {
  const namespace = namespaceIn(manifests, release);
  const applySet = applySetOf(namespace);
  const objects = [...manifests, ...(await applySet.othersThan(cluster, manifests))];
  if (objects.length === 0) return false;
  if (!force) await refuseWithOperators(cluster, namespace);
  const deletion = { namespace, deadline, progress, dryRun };
  // The record of ots does not say which kinds the CRDs define.
  const own = objects.filter(({ apiVersion }) => ownGroups.has(groupOf(apiVersion)));
  await deleteInOrder(cluster, own, deletion);
  await deleteInOrder(cluster, [packageApi, ...objects.filter((object) => !own.includes(object))], deletion);
  if (!dryRun) await applySet.remove(cluster);
  return true;
}

async function refuseWithOperators(cluster: Cluster, namespace: string): Promise<void> {
  const csvs = ((await listOf(cluster, ClusterServiceVersion)) ?? []).filter(
    (csv) => !isCopy(csv) && csv.metadata.namespace !== namespace,
  );
  const subscriptions = (await listOf(cluster, Subscription)) ?? [];
  const extensions = (await listOf(cluster, ClusterExtension)) ?? [];
  const names = [...csvs, ...subscriptions, ...extensions].map(
    ({ metadata: { namespace: place, name = '' } }) =>
      oneLine(place === undefined ? name : `${place}/${name}`),
  );
  if (names.length === 0) return;
  const more = names.length > maxNames ? ` and ${names.length - maxNames} more` : '';
  throw new OtsError(
    'HAS_OPERATORS',
    `OLM still has operators: ${names.slice(0, maxNames).join(', ')}${more}`,
    {
      hint: 'Remove them with ots cleanup first, or add --force to remove them together with OLM.',
    },
  );
}
