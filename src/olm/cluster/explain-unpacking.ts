import { Job } from 'ots-kubernetes/batch/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import { isApiError } from 'ots-runtime';
import type { Cluster } from '../../deploy/cluster.ts';
import { explainPod } from '../../deploy/explain-deployment.ts';
import { explainError } from '../../deploy/explain-error.ts';
import type { Problem } from './problem.ts';

/** OLM puts it on the jobs that unpack images of bundles, and on their pods. */
const unpackLabel = 'operatorframework.io/bundle-unpack-ref';

/**
 * Finds out why OLM does not unpack the image of a bundle, from its jobs and their pods.
 *
 * @param namespace of the catalog
 * @returns undefined if the jobs have no problem, or the user may not see them
 */
export async function explainUnpacking(cluster: Cluster, namespace: string): Promise<Problem | undefined> {
  const { client, signal } = cluster;
  try {
    const { items: jobs } = await client.list(Job, { namespace, labelSelector: unpackLabel, signal });
    for (const { metadata, status } of jobs) {
      if ((status?.succeeded ?? 0) > 0) continue;
      const labelSelector = `job-name=${metadata.name}`;
      const { items: pods } = await client.list(Pod, { namespace, labelSelector, signal });
      for (const pod of pods) {
        const places = { manifest: 'the ClusterServiceVersion', image: 'another catalog' };
        const found = await explainPod(cluster, pod, places);
        if (found) return { ...found, problem: `OLM cannot unpack a bundle: ${found.problem}` };
      }
      const failed = status?.conditions?.find(
        ({ type, status: value }) => type === 'Failed' && value === 'True',
      );
      if (failed)
        return {
          problem: `OLM cannot unpack a bundle: job.batch/${metadata.name}: ${failed.message ?? failed.reason}`,
          hint: `Look at its pods with kubectl -n ${namespace} describe pods -l ${labelSelector}.`,
        };
    }
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    if (isApiError(error)) return undefined;
    throw explainError(error);
  }
}
