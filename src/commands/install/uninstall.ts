import type { Context } from '../../context.ts';
import { deleteInOrder } from '../../deploy/delete-in-order.ts';
import { type Build, buildWithKustomize } from '../../deploy/kustomize.ts';
import type { ClusterOptions } from '../shared/cluster-options.ts';
import { confirmDataLoss } from '../shared/confirm-data-loss.ts';
import { withCluster } from '../shared/with-cluster.ts';
import { crdsOf } from './crds-of.ts';

/**
 * `ots uninstall`: deletes the CRDs. Asks first if objects of their kinds exist, because the server deletes these with them.
 *
 * @param build for tests: builds without kustomize
 */
export async function uninstall(
  options: ClusterOptions,
  context: Context,
  build: Build = buildWithKustomize,
): Promise<void> {
  const objects = await crdsOf(options, context, build);
  await withCluster('uninstall', options, context, async ({ cluster, report, namespace, deadline }) => {
    if (!options.dryRun) await confirmDataLoss(cluster, objects, options, context);
    const dryRun = options.dryRun ?? false;
    await deleteInOrder(cluster, objects, { namespace, deadline, progress: report, dryRun });
  });
}
