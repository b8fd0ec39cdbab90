import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { ControllerBuilder, type KubernetesObject, defineKind, objectReconciler } from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { statefulSetOf } from '../building-blocks/stateful-set-of.ts';
import { defineSubject } from '../subject.ts';

interface Cluster extends KubernetesObject {
  spec: { size: number };
  status?: { phase?: 'Running' | 'Downscaling'; target?: number };
}

const Cluster = defineKind<Cluster>({
  apiVersion: 'flows.example.com/v1',
  kind: 'Cluster',
  plural: 'clusters',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'flow' };

export const splitsStatusWrite = defineSubject<Cluster>({
  title: 'scales down in phases, which it keeps in the status',
  bugs: ['Orange-OpenSource/nifikop 79'],
  pattern: 'crash',
  consequence: 'The cluster stays in the phase Downscaling and is never scaled down.',
  definition: definitionOf(Cluster, {
    spec: { size: { type: 'integer', minimum: 1 } },
    required: ['size'],
    status: {
      phase: { type: 'string', enum: ['Running', 'Downscaling'] },
      target: { type: 'integer' },
    },
  }),
  object: { apiVersion: 'flows.example.com/v1', kind: 'Cluster', metadata: key, spec: { size: 2 } },
  changes: {
    'is scaled down': ({ client }) => client.patch(Cluster, key, { spec: { size: 1 } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('clusters', connection, leaderElection);
    const { client } = manager;
    const reconciler = objectReconciler(client, Cluster, async (cluster) => {
      const { size } = cluster.spec;
      const { phase, target } = cluster.status ?? {};
      const report = (status: { phase?: 'Running' | 'Downscaling'; target?: number | null }) =>
        client.status.patch(Cluster, key, { status });
      const scaleTo = (replicas: number) =>
        client.apply(StatefulSet, statefulSetOf(cluster, { replicas, image: 'nifi' }));
      if (phase === 'Downscaling') {
        if (target === undefined) return;
        await scaleTo(target);
        await report({ phase: 'Running', target: null });
        return;
      }
      const current = await client.get(StatefulSet, key);
      if ((current?.spec?.replicas ?? 0) > size) {
        if (variant === 'buggy') {
          await report({ phase: 'Downscaling' });
          await report({ target: size });
        } else await report({ phase: 'Downscaling', target: size });
        return;
      }
      await scaleTo(size);
      if (phase !== 'Running') await report({ phase: 'Running' });
    });
    new ControllerBuilder(manager).for(Cluster).owns(StatefulSet).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: {
      crashAfter: { verb: 'patch', resource: 'clusters/status.flows.example.com', occurrence: 2 },
    },
    async isHarmed({ client }) {
      const found = await client.getOrThrow(Cluster, key);
      return found.status?.phase === 'Downscaling' && found.status.target === undefined;
    },
  },
});
