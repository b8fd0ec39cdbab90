import type { Context } from '../../context.ts';
import { deleteInOrder } from '../../deploy/delete-in-order.ts';
import { type Build, buildWithKustomize, parseObjects } from '../../deploy/kustomize.ts';
import type { ClusterOptions } from '../shared/cluster-options.ts';
import { confirmDataLoss } from '../shared/confirm-data-loss.ts';
import { projectRoot } from '../shared/in-project.ts';
import { withCluster } from '../shared/with-cluster.ts';
import { applySetOf, buildOperator } from './operator-objects.ts';

/**
 * `ots undeploy`: deletes what `ots deploy` applied, also by an earlier version. Asks first if objects of the operator's kinds exist,
 * because the server deletes these with their CRDs.
 *
 * @param build for tests: builds without kustomize
 */
export async function undeploy(
  options: ClusterOptions,
  context: Context,
  build: Build = buildWithKustomize,
): Promise<void> {
  const root = projectRoot(options, context);
  const objects = parseObjects(await buildOperator(root, {}, context, build));
  await withCluster('undeploy', options, context, async ({ cluster, report, namespace, deadline }) => {
    const { dryRun = false } = options;
    const applySet = applySetOf(root, objects, namespace, context);
    const all = [...objects, ...(await applySet.othersThan(cluster, objects))];
    if (!dryRun) await confirmDataLoss(cluster, all, options, context);
    await deleteInOrder(cluster, all, { namespace, deadline, progress: report, dryRun });
    if (!dryRun) await applySet.remove(cluster);
  });
}
