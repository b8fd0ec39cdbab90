import type { Context } from '../../context.ts';
import { deployObjects } from '../../deploy/deploy-objects.ts';
import { diffInOrder } from '../../deploy/diff-in-order.ts';
import { type Build, buildWithKustomize, parseObjects } from '../../deploy/kustomize.ts';
import type { ClusterOptions } from '../shared/cluster-options.ts';
import { projectRoot } from '../shared/in-project.ts';
import { withCluster } from '../shared/with-cluster.ts';
import { type ImageOptions, applySetOf, buildOperator, buildSamples } from './operator-objects.ts';

/**
 * `ots deploy`: applies config/default, waits until the operator is ready, and prunes what an earlier version applied.
 *
 * @param build for tests: builds without kustomize
 */
export async function deploy(
  options: ClusterOptions & ImageOptions,
  context: Context,
  build: Build = buildWithKustomize,
): Promise<void> {
  const root = projectRoot(options, context);
  const objects = parseObjects(await buildOperator(root, options, context, build));
  await withCluster('deploy', options, context, async ({ cluster, report, namespace, deadline }) => {
    const applySet = applySetOf(root, objects, namespace, context);
    const apply = { ...options, namespace, progress: report };
    if (options.dryRun) {
      const members = objects.map((object) => applySet.member(object));
      await applySet.prune(cluster, await diffInOrder(cluster, members, apply), {
        progress: report,
        dryRun: true,
      });
      return;
    }
    const samples = await buildSamples(root, context, build);
    await deployObjects(cluster, objects, { ...apply, deadline, applySet, samples });
    report.line('The operator is ready.');
  });
}
