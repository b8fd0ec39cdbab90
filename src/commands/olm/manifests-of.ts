import type { UnstructuredObject } from 'ots-runtime';
import type { Context } from '../../context.ts';
import { type Download, readManifests } from '../../olm/cluster/installation/read-manifests.ts';
import { workingDirectory } from '../shared/report-options.ts';
import type { ClusterWork } from '../shared/with-cluster.ts';
import { type OlmOptions, releaseOf } from './olm-options.ts';

/**
 * Reads the manifests of the OLM that the flags choose.
 *
 * @throws OtsError of {@link readManifests}
 */
export async function manifestsOf(
  options: OlmOptions,
  context: Context,
  { cluster, report }: ClusterWork,
  download: Download,
): Promise<UnstructuredObject[]> {
  return readManifests(options, releaseOf(options), {
    cwd: workingDirectory(options, context),
    download,
    signal: cluster.signal,
    announce: (text) => report.line(text),
  });
}

/** The manifests, if a flag names them: commands that only look download nothing on their own. */
export async function namedManifests(
  options: OlmOptions,
  context: Context,
  work: ClusterWork,
  download: Download,
): Promise<UnstructuredObject[]> {
  const isNamed = options.manifests !== undefined || options.version !== undefined;
  return isNamed ? manifestsOf(options, context, work, download) : [];
}
