import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { ControllerBuilder, type KubernetesObject, defineKind, objectReconciler } from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { statefulSetOf } from '../building-blocks/stateful-set-of.ts';
import { defineSubject } from '../subject.ts';

interface Exchange extends KubernetesObject {
  spec: { replicas: number };
  status?: { replicas?: number; observedGeneration?: number };
}

const Exchange = defineKind<Exchange>({
  apiVersion: 'queues.example.com/v1',
  kind: 'Exchange',
  plural: 'exchanges',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'rabbit' };

export const reportsOnlyOtherValues = defineSubject<Exchange>({
  title: 'scales a StatefulSet, and reports the generation that it has handled',
  bugs: ['rabbitmq/cluster-operator 758'],
  pattern: 'unobserved',
  consequence: 'The status never reports the last generation, and who waits for it waits forever.',
  definition: definitionOf(Exchange, {
    spec: { replicas: { type: 'integer', minimum: 1 } },
    required: ['replicas'],
    status: { replicas: { type: 'integer' }, observedGeneration: { type: 'integer' } },
  }),
  object: { apiVersion: 'queues.example.com/v1', kind: 'Exchange', metadata: key, spec: { replicas: 1 } },
  changes: {
    'is scaled': ({ client }) => client.patch(Exchange, key, { spec: { replicas: 3 } }),
    'is scaled back': ({ client }) => client.patch(Exchange, key, { spec: { replicas: 1 } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('exchanges', connection, leaderElection);
    const { client } = manager;
    const reconciler = objectReconciler(client, Exchange, async (exchange) => {
      const { replicas } = exchange.spec;
      const { generation: observedGeneration = 0 } = exchange.metadata;
      await client.apply(StatefulSet, statefulSetOf(exchange, { replicas, image: 'rabbitmq' }));
      const isReported =
        variant === 'buggy'
          ? exchange.status?.replicas === replicas
          : exchange.status?.observedGeneration === observedGeneration;
      if (!isReported)
        await client.status.patch(Exchange, exchange, (draft) => {
          draft.status = { replicas, observedGeneration };
        });
    });
    new ControllerBuilder(manager).for(Exchange).owns(StatefulSet).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: {
      holds: [
        {
          resource: 'exchanges.queues.example.com',
          from: { before: 'is scaled' },
          until: { after: 'is scaled back' },
          skips: true,
        },
      ],
    },
    async isHarmed({ client }) {
      const { metadata, status } = await client.getOrThrow(Exchange, key);
      return status?.observedGeneration !== metadata.generation;
    },
  },
});
