import type { Context } from '../../context.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { olmStatus } from '../../olm/cluster/installation/olm-status.ts';
import { downloadText } from '../../olm/cluster/installation/read-manifests.ts';
import { uninstallOlm } from '../../olm/cluster/installation/uninstall-olm.ts';
import { withCluster } from '../shared/with-cluster.ts';
import { namedManifests } from './manifests-of.ts';
import { type OlmOptions, releaseOf } from './olm-options.ts';

/**
 * `ots olm uninstall`: removes OLM, unless it has operators.
 *
 * @param download for tests: gets the files of a release
 * @throws OtsError `FOREIGN_OLM` if something else has installed it and no flag names its manifests, `HAS_OPERATORS`
 */
export async function uninstall(
  options: OlmOptions & { force?: boolean },
  context: Context,
  download = downloadText,
): Promise<void> {
  const release = releaseOf(options);
  const { force = false, dryRun = false } = options;
  await withCluster('olm uninstall', options, context, async (work) => {
    const { cluster, deadline, report } = work;
    const manifests = await namedManifests(options, context, work, download);
    const removal = { force, deadline, progress: report, dryRun };
    if (await uninstallOlm(cluster, manifests, release, removal)) return;
    const found = await olmStatus(cluster, [], release);
    if (found)
      throw new OtsError('FOREIGN_OLM', `${release.title} is installed, but not by ots`, {
        hint: `Name what to delete: --version ${found.version ?? '<version>'} for its release, or --manifests.`,
      });
    report.line(`Nothing to do: ${release.title} is not installed`);
  });
}
