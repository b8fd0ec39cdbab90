import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Pod } from 'ots-kubernetes/core/v1';
import {
  ControllerBuilder,
  type KubernetesObject,
  controllerReference,
  defineKind,
  objectReconciler,
} from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { statefulSetOf } from '../building-blocks/stateful-set-of.ts';
import { defineSubject } from '../subject.ts';

interface Flow extends KubernetesObject {
  spec: { heap: string };
  status?: { config?: 'InSync' | 'OutOfSync' };
}

const Flow = defineKind<Flow>({
  apiVersion: 'flows.example.com/v1',
  kind: 'Flow',
  plural: 'flows',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'flow' };

export const marksRestartAfterConfig = defineSubject<Flow>({
  title: 'writes the configuration of pods, and restarts them when it has changed',
  bugs: ['Orange-OpenSource/nifikop 49'],
  pattern: 'crash',
  consequence: 'The pods run with the old configuration until something else restarts them.',
  definition: definitionOf(Flow, {
    spec: { heap: { type: 'string' } },
    required: ['heap'],
    status: { config: { type: 'string', enum: ['InSync', 'OutOfSync'] } },
  }),
  object: { apiVersion: 'flows.example.com/v1', kind: 'Flow', metadata: key, spec: { heap: '1g' } },
  changes: {
    'gets a larger heap': ({ client }) => client.patch(Flow, key, { spec: { heap: '2g' } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('flows', connection, leaderElection);
    const { client } = manager;
    manager.cache.add(Pod);
    const reconciler = objectReconciler(client, Flow, async (flow) => {
      const { name, namespace } = flow.metadata;
      const mark = (config: 'InSync' | 'OutOfSync') => client.status.patch(Flow, key, { status: { config } });
      const data = { heap: flow.spec.heap };
      const current = await client.get(ConfigMap, { name: `${name}-config`, namespace });
      const hasChanged = current !== undefined && current.data?.['heap'] !== data.heap;
      if (hasChanged && variant === 'fixed') await mark('OutOfSync');
      await client.apply(ConfigMap, {
        metadata: { name: `${name}-config`, namespace, ownerReferences: [controllerReference(flow)] },
        data,
      });
      if (hasChanged && variant === 'buggy') await mark('OutOfSync');
      await client.apply(StatefulSet, statefulSetOf(flow, { replicas: 1, image: 'nifi' }));
      if (!hasChanged && flow.status?.config !== 'OutOfSync') return;
      const { items } = await client.list(Pod, { namespace, labelSelector: `app=${name}` });
      for (const pod of items) await client.delete(Pod, pod);
      await mark('InSync');
    });
    new ControllerBuilder(manager).for(Flow).owns(ConfigMap).owns(StatefulSet).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: { crashAfter: { verb: 'patch', resource: 'configmaps', occurrence: 2 } },
    isHarmed: ({ writes }) => !writes.includes('delete pods default/flow-0'),
  },
});
