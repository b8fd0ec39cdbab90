import { StatefulSet } from 'ots-kubernetes/apps/v1';
import {
  ControllerBuilder,
  type KubernetesObject,
  defineKind,
  dropFinalizer,
  ensureFinalizer,
  isControlledBy,
  objectReconciler,
} from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { statefulSetOf } from '../building-blocks/stateful-set-of.ts';
import { defineSubject } from '../subject.ts';

interface Queue extends KubernetesObject {
  spec: { replicas: number };
}

const Queue = defineKind<Queue>({
  apiVersion: 'queues.example.com/v1',
  kind: 'Queue',
  plural: 'queues',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'rabbit' };
const object: Queue = {
  apiVersion: 'queues.example.com/v1',
  kind: 'Queue',
  metadata: key,
  spec: { replicas: 1 },
};
const deletion = 'delete statefulsets.apps default/rabbit';
const finalizer = 'queues.example.com/statefulset';

export const cleansUpByName = defineSubject<Queue>({
  title: 'deletes its StatefulSet before the object goes',
  bugs: ['rabbitmq/cluster-operator 648'],
  pattern: 'stale',
  consequence: 'The StatefulSet of a new object with the same name is deleted: all of its pods end.',
  definition: definitionOf(Queue, {
    spec: { replicas: { type: 'integer', minimum: 1 } },
    required: ['replicas'],
  }),
  object,
  changes: {
    'is deleted': ({ client }) => client.delete(Queue, key),
    'is made again': ({ client }) => client.create(Queue, object),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('queues', connection, leaderElection);
    const { client } = manager;
    const reconciler = objectReconciler(client, Queue, async (queue) => {
      const wanted = statefulSetOf(queue, { replicas: queue.spec.replicas, image: 'rabbitmq' });
      if (!queue.metadata.deletionTimestamp) {
        await ensureFinalizer(client, Queue, queue, finalizer);
        await client.apply(StatefulSet, wanted);
        return;
      }
      const current = await client.get(StatefulSet, wanted.metadata);
      const isOwn = current && (variant === 'buggy' || isControlledBy(current, queue));
      if (!isOwn) await dropFinalizer(client, Queue, queue, finalizer);
      else if (!current.metadata.deletionTimestamp)
        await client.delete(StatefulSet, current, { propagationPolicy: 'Foreground' });
    });
    new ControllerBuilder(manager).for(Queue).owns(StatefulSet).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'writes',
    plan: {
      holds: [
        {
          resource: 'queues.queues.example.com',
          of: 'standby',
          from: { beforeWrite: { verb: 'patch', resource: 'queues.queues.example.com', occurrence: 2 } },
        },
      ],
      failover: { after: 'is made again' },
    },
    isHarmed: ({ writes }) => writes.filter((write) => write === deletion).length > 1,
  },
});
