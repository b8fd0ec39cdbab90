import type { Context } from '../../context.ts';
import { applyInOrder } from '../../deploy/apply-in-order.ts';
import { diffInOrder } from '../../deploy/diff-in-order.ts';
import { type Build, buildWithKustomize } from '../../deploy/kustomize.ts';
import type { ClusterOptions } from '../shared/cluster-options.ts';
import { withCluster } from '../shared/with-cluster.ts';
import { crdsOf } from './crds-of.ts';

/**
 * `ots install`: applies config/install, which is the CRDs, and waits until the server serves them.
 *
 * @param build for tests: builds without kustomize
 */
export async function install(
  options: ClusterOptions,
  context: Context,
  build: Build = buildWithKustomize,
): Promise<void> {
  const objects = await crdsOf(options, context, build);
  await withCluster('install', options, context, async ({ cluster, report, namespace, deadline }) => {
    const apply = { ...options, namespace, deadline, progress: report };
    await (options.dryRun ? diffInOrder : applyInOrder)(cluster, objects, apply);
  });
}
