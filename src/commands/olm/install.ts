import type { Context } from '../../context.ts';
import { installOlm } from '../../olm/cluster/installation/install-olm.ts';
import { downloadText } from '../../olm/cluster/installation/read-manifests.ts';
import { withCluster } from '../shared/with-cluster.ts';
import { manifestsOf } from './manifests-of.ts';
import { type OlmOptions, releaseOf } from './olm-options.ts';

/**
 * `ots olm install`: installs OLM, and waits until it runs.
 *
 * @param download for tests: gets the files of a release
 */
export async function install(options: OlmOptions, context: Context, download = downloadText): Promise<void> {
  const release = releaseOf(options);
  const { forceConflicts = false, dryRun = false } = options;
  await withCluster('olm install', { timeout: '5m', ...options }, context, async (work) => {
    const { cluster, deadline, report } = work;
    const objects = await manifestsOf(options, context, work, download);
    await installOlm(cluster, objects, release, { forceConflicts, deadline, progress: report, dryRun });
    if (!dryRun) report.line(`${release.title} runs.`);
  });
}
