import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import {
  ControllerBuilder,
  type DeepReadonly,
  type KubernetesObject,
  defineKind,
  objectReconciler,
} from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { statefulSetOf } from '../building-blocks/stateful-set-of.ts';
import { defineSubject } from '../subject.ts';

interface Broker extends KubernetesObject {
  spec: { storage: string };
}

const Broker = defineKind<Broker>({
  apiVersion: 'queues.example.com/v1',
  kind: 'Broker',
  plural: 'brokers',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'rabbit' };

function storageOf(claim: DeepReadonly<PersistentVolumeClaim> | undefined): string | undefined {
  const value = claim?.spec?.resources?.requests?.['storage'];
  return value === undefined ? undefined : String(value);
}

export const growsVolumesAfterDeletion = defineSubject<Broker>({
  title: 'grows the volumes of a StatefulSet, which must be created again for that',
  bugs: ['rabbitmq/cluster-operator 782'],
  pattern: 'crash',
  consequence: 'The new StatefulSet has the new size, and the volumes keep the old one forever.',
  definition: definitionOf(Broker, { spec: { storage: { type: 'string' } }, required: ['storage'] }),
  object: { apiVersion: 'queues.example.com/v1', kind: 'Broker', metadata: key, spec: { storage: '1Gi' } },
  changes: {
    'gets more storage': ({ client }) => client.patch(Broker, key, { spec: { storage: '2Gi' } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('brokers', connection, leaderElection);
    const { client } = manager;
    manager.cache.add(PersistentVolumeClaim);
    const growClaims = async ({ metadata: { name, namespace }, spec }: DeepReadonly<Broker>) => {
      const { items } = await client.list(PersistentVolumeClaim, { namespace, labelSelector: `app=${name}` });
      for (const claim of items)
        if (storageOf(claim) !== spec.storage)
          await client.patch(PersistentVolumeClaim, claim, (draft) => {
            draft.spec!.resources!.requests!['storage'] = spec.storage;
          });
    };
    const reconciler = objectReconciler(client, Broker, async (broker) => {
      const wanted = statefulSetOf(broker, { replicas: 1, image: 'rabbitmq', storage: broker.spec.storage });
      const current = await client.get(StatefulSet, wanted.metadata);
      if (current?.metadata.deletionTimestamp) return;
      if (variant === 'fixed') await growClaims(broker);
      if (current && storageOf(current.spec?.volumeClaimTemplates?.[0]) !== broker.spec.storage) {
        // Its claim templates cannot change. The pods stay.
        await client.delete(StatefulSet, current, { propagationPolicy: 'Orphan' });
        if (variant === 'buggy') await growClaims(broker);
        return;
      }
      await client.apply(StatefulSet, wanted, { force: true });
    });
    new ControllerBuilder(manager).for(Broker).owns(StatefulSet).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: { crashAfter: { verb: 'delete', resource: 'statefulsets.apps' } },
    async isHarmed({ client }) {
      const claim = await client.get(PersistentVolumeClaim, { ...key, name: 'data-rabbit-0' });
      return storageOf(claim) !== '2Gi';
    },
  },
});
