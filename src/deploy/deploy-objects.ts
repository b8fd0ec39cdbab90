import type { UnstructuredObject } from 'ots-runtime';
import { type ApplyInOrderOptions, applyInOrder } from './apply-in-order.ts';
import type { ApplySet } from './apply-set.ts';
import type { Cluster } from './cluster.ts';
import { referenceTo } from './object-name.ts';
import { untilAvailable } from './until-available.ts';
import { untilWebhooksAnswer } from './until-webhooks-answer.ts';

/** How to deploy an operator. */
export interface DeployOptions extends Omit<ApplyInOrderOptions, 'afterStage'> {
  readonly namespace: string;
  /** Where the objects are recorded. */
  readonly applySet: ApplySet;
  /** Objects of the operator's kinds, to ask its webhooks about. */
  readonly samples: readonly UnstructuredObject[];
}

/**
 * Applies the objects of an operator and waits until it is ready: its Deployments are available before the webhook configurations are
 * applied, and the webhooks answer. Then prunes what an earlier version applied and this one does not.
 *
 * @throws OtsError of each step
 */
export async function deployObjects(
  cluster: Cluster,
  objects: readonly UnstructuredObject[],
  options: DeployOptions,
): Promise<void> {
  const { applySet, namespace } = options;
  const members = objects.map((object) => applySet.member(object));
  const applied = await applyInOrder(cluster, members, {
    ...options,
    afterStage: async (stage) => {
      // The parent of the set is in a namespace that the operator may bring along.
      if (stage === 'namespaces') await applySet.begin(cluster, members, namespace);
      if (stage === 'workloads') {
        for (const deployment of objects.filter(({ kind }) => kind === 'Deployment')) {
          const reference = { namespace, ...referenceTo(deployment) };
          await untilAvailable(cluster, reference, options);
        }
      }
      if (stage === 'admission') await untilWebhooksAnswer(cluster, objects, options);
    },
  });
  await applySet.prune(cluster, applied, options);
}
