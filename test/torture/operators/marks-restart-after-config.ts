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

interface FlowStatus {
  /** The heap that the pods run with. */
  heap: string;
  /** The UIDs of pods that must restart for another heap. */
  outdated?: readonly string[];
}

interface Flow extends KubernetesObject {
  spec: { heap: string };
  status?: FlowStatus;
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
    status: { heap: { type: 'string' }, outdated: { type: 'array', items: { type: 'string' } } },
  }),
  object: { apiVersion: 'flows.example.com/v1', kind: 'Flow', metadata: key, spec: { heap: '1g' } },
  changes: {
    'gets a larger heap': ({ client }) => client.patch(Flow, key, { spec: { heap: '2g' } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('flows', connection, leaderElection);
    const { client, apiReader } = manager;
    const reconciler = objectReconciler(client, Flow, async (flow) => {
      const { name, namespace } = flow.metadata;
      const { heap } = flow.spec;
      const config = { name: `${name}-config`, namespace };
      let known = flow;
      const report = async (status: FlowStatus) => {
        const change = (draft: Flow) => void (draft.status = status);
        known = await client.status.patch(Flow, known, change, { optimisticLock: true });
      };
      // Of the server: for an old configuration, pods would restart once more, and a pod that the cache does not have yet would never.
      const before = (await apiReader.get(ConfigMap, config))?.data?.['heap'];
      const { items: pods } = await apiReader.list(Pod, { namespace, labelSelector: `app=${name}` });
      const hasChanged = before !== undefined && before !== heap;
      const outdated = hasChanged ? pods.map(({ metadata }) => metadata.uid!) : flow.status?.outdated;
      if (hasChanged && variant === 'fixed') await report({ heap: before, outdated: outdated! });
      const ownerReferences = [controllerReference(flow)];
      await client.apply(ConfigMap, { metadata: { ...config, ownerReferences }, data: { heap } });
      if (hasChanged && variant === 'buggy') await report({ heap: before, outdated: outdated! });
      await client.apply(StatefulSet, statefulSetOf(flow, { replicas: 1, image: 'nifi' }));
      if (flow.status && !outdated) return;
      for (const pod of pods) if (outdated?.includes(pod.metadata.uid!)) await client.delete(Pod, pod);
      await report({ heap });
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
