import type { UnstructuredObject } from 'ots-runtime';
import type { Context } from '../../context.ts';
import { type Cluster, isDefinition } from '../../deploy/cluster.ts';
import { type ObjectCount, countObjects } from '../../deploy/count-objects.ts';
import { confirm } from '../../prompts/confirm.ts';
import type { ClusterOptions } from './cluster-options.ts';

/**
 * Asks before definitions are deleted of whose kinds objects exist.
 *
 * @param objects those that are about to be deleted
 * @throws OtsError `OBJECTS_EXIST` without a terminal, `CANCELED`
 */
export async function confirmDataLoss(
  cluster: Cluster,
  objects: readonly UnstructuredObject[],
  { yes }: ClusterOptions,
  context: Context,
): Promise<void> {
  if (yes) return;
  const counts = await countObjects(cluster, objects.filter(isDefinition));
  if (counts.length === 0) return;
  const lost = counts.map(describe).join(', ');
  await confirm(
    {
      question: `Also delete ${lost}?`,
      code: 'OBJECTS_EXIST',
      reason: `With the CRDs the server would delete ${lost}`,
      hint: 'Delete the objects first, or add --yes to delete them together with the CRDs.',
    },
    context,
  );
}

function describe({ definition, count }: ObjectCount): string {
  return `${count === undefined ? 'an unknown number of' : `${count}`} ${definition}`;
}
