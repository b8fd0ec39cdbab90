import type { Context } from '../../context.ts';
import { objectName } from '../../deploy/object-name.ts';
import { OtsError } from '../../errors/ots-error.ts';
import { olmStatus } from '../../olm/cluster/installation/olm-status.ts';
import { downloadText } from '../../olm/cluster/installation/read-manifests.ts';
import { oneLine } from '../../output/one-line.ts';
import { paint } from '../../output/paint.ts';
import { withCluster } from '../shared/with-cluster.ts';
import { namedManifests } from './manifests-of.ts';
import { type OlmOptions, releaseOf } from './olm-options.ts';

/**
 * `ots olm status`: lists the objects of OLM with their states.
 *
 * @param download for tests: gets the files of a release
 * @throws OtsError `NO_OLM`, or `NOT_READY` if an object is missing or not ready
 */
export async function status(options: OlmOptions, context: Context, download = downloadText): Promise<void> {
  const release = releaseOf(options);
  // It only looks, so there is nothing to ask.
  await withCluster('olm status', { ...options, yes: true }, context, async (work) => {
    const { cluster, report } = work;
    const manifests = await namedManifests(options, context, work, download);
    const found = await olmStatus(cluster, manifests, release);
    if (!found)
      throw new OtsError('NO_OLM', `${release.title} is not installed`, {
        hint: `Install it with ots olm install${options.v1 ? ' --v1' : ''}.`,
      });
    const { version, isOurs, objects } = found;
    const by = isOurs ? '' : ', which ots has not installed';
    report.line(`${release.title}${version === undefined ? '' : ` ${oneLine(version)}`}${by}`);
    for (const { isReady, state, ...reference } of objects) {
      const place = reference.namespace === undefined ? '' : ` in ${reference.namespace}`;
      const shown = paint(context, 'stdout', isReady ? 'green' : 'red', oneLine(state));
      report.line(`  ${objectName(reference)}${place} ${shown}`);
    }
    const broken = objects.filter(({ isReady }) => !isReady);
    if (broken.length === 0) return { version: version ?? null, isOurs, states: objects };
    const names = broken.map((each) => `${objectName(each)} (${oneLine(each.state)})`).join(', ');
    throw new OtsError('NOT_READY', `${release.title} is not ready: ${names}`, {
      hint: isOurs
        ? 'Run ots olm install again, which restores and explains what is not there.'
        : 'Look at the pods of OLM with kubectl, or install it again with what installed it.',
      details: { version: version ?? null, isOurs, states: objects },
    });
  });
}
