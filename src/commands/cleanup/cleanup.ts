import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { UsageError } from '../../errors/usage-error.ts';
import { requireOlm } from '../../olm/cluster/check-namespace.ts';
import { belongingsOf, cleanUp } from '../../olm/cluster/clean-up.ts';
import { crdsOfExtensions, removeExtensions } from '../../olm/cluster/v1/remove-extensions.ts';
import { oneLine } from '../../output/one-line.ts';
import { quoted } from '../../project/names/quoted.ts';
import type { ClusterOptions } from '../shared/cluster-options.ts';
import { confirmDataLoss } from '../shared/confirm-data-loss.ts';
import { type ClusterWork, withCluster } from '../shared/with-cluster.ts';

/** The flags of `ots cleanup`. */
export interface CleanupOptions extends ClusterOptions {
  package?: string;
  deleteCrds?: boolean;
  deleteAll?: boolean;
  v1?: boolean;
}

/**
 * `ots cleanup`: removes an operator that OLM installed. CRDs stay, because with them the data of users would go.
 *
 * @throws UsageError `NO_PACKAGE`; OtsError `CRDS_DELETED` for OLM v1, which cannot keep CRDs, without `--delete-crds`
 */
export async function cleanup(options: CleanupOptions, context: Context): Promise<void> {
  const { package: packageName } = options;
  if (packageName === undefined)
    throw new UsageError('NO_PACKAGE', 'The package of the operator is missing', {
      hint: 'Name it, such as ots cleanup my-operator. In a bundle, metadata/annotations.yaml has it.',
    });
  const remove = options.v1 ? cleanUpV1 : cleanUpV0;
  await withCluster('cleanup', options, context, async (work) => {
    const isFound = await remove(packageName, options, work, context);
    const { namespace, report } = work;
    const place = options.v1 ? 'the cluster' : `the namespace ${namespace}`;
    if (!isFound) report.line(`Nothing to do: ${place} has nothing of the package ${quoted(packageName)}`);
    return { package: packageName, ...(!options.v1 && { namespace }) };
  });
}

type CleanUp = (
  packageName: string,
  options: CleanupOptions,
  work: ClusterWork,
  context: Context,
) => Promise<boolean>;

const cleanUpV0: CleanUp = async (packageName, options, work, context) => {
  const { cluster, namespace, deadline, report } = work;
  const { deleteAll = false, deleteCrds = deleteAll, dryRun } = options;
  await requireOlm(cluster, namespace);
  if (deleteCrds && !dryRun) {
    const { crds } = await belongingsOf(cluster, packageName, namespace);
    await confirmDataLoss(cluster, crds, options, context);
  }
  const removal = { deletesCrds: deleteCrds, deletesOthers: deleteAll, dryRun };
  return cleanUp(cluster, packageName, { namespace, deadline, progress: report, ...removal });
};

const cleanUpV1: CleanUp = async (packageName, options, work, context) => {
  const { cluster, deadline, report } = work;
  const { deleteAll = false, deleteCrds = deleteAll, dryRun = false } = options;
  const crds = await crdsOfExtensions(cluster, packageName);
  if (crds.length > 0 && !deleteCrds) {
    const names = crds.map(({ metadata }) => oneLine(metadata.name ?? '')).join(', ');
    throw new OtsError('CRDS_DELETED', `With the operator, OLM v1 would delete its CRDs: ${names}`, {
      hint: 'OLM v1 cannot keep them. Save the objects of their kinds, and add --delete-crds.',
    });
  }
  if (!dryRun) await confirmDataLoss(cluster, crds, options, context);
  for (const { apiVersion, kind, metadata } of dryRun ? crds : [])
    report.object({ apiVersion, kind, name: metadata.name ?? '' }, 'deleted');
  return removeExtensions(cluster, packageName, { deadline, progress: report, dryRun });
};
