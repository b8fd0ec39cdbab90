import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { PersistentVolumeClaim, Pod } from 'ots-kubernetes/core/v1';
import {
  ControllerBuilder,
  type KubernetesObject,
  defineKind,
  objectReconciler,
  requestsFromLabel,
} from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { deleteClaims } from '../building-blocks/delete-claims.ts';
import { ordinalOf, statefulSetOf } from '../building-blocks/stateful-set-of.ts';
import { defineSubject } from '../subject.ts';

interface Cassandra extends KubernetesObject {
  spec: { nodes: number };
}

const Cassandra = defineKind<Cassandra>({
  apiVersion: 'rings.example.com/v1',
  kind: 'Cassandra',
  plural: 'cassandras',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'cassandra' };

export const deletesClaimOfSeenTermination = defineSubject<Cassandra>({
  title: 'deletes the claim of a pod that is removed',
  bugs: ['instaclustr/cassandra-operator 398'],
  pattern: 'unobserved',
  consequence: 'The claim of a removed pod stays and costs storage forever.',
  definition: definitionOf(Cassandra, {
    spec: { nodes: { type: 'integer', minimum: 1 } },
    required: ['nodes'],
  }),
  object: { apiVersion: 'rings.example.com/v1', kind: 'Cassandra', metadata: key, spec: { nodes: 2 } },
  changes: {
    'is scaled down': ({ client }) => client.patch(Cassandra, key, { spec: { nodes: 1 } }),
  },
  workloads: {
    images: {
      // It drains.
      'cassandra:*': ({ clock }) => ({
        terminate: () => new Promise<void>((resolve) => void clock.setTimeout(resolve, 5000)),
      }),
    },
  },
  async start(connection, variant, leaderElection) {
    const manager = await createManager('cassandras', connection, leaderElection);
    const { client, apiReader } = manager;
    // Of the server: what it deletes for an old size does not come back.
    const reconciler = objectReconciler(apiReader, Cassandra, async (cassandra) => {
      const { name, namespace } = cassandra.metadata;
      const { nodes } = cassandra.spec;
      const shape = { replicas: nodes, image: 'cassandra', storage: '1Gi' };
      await client.apply(StatefulSet, statefulSetOf(cassandra, shape));
      const selection = { namespace, labelSelector: `app=${name}` };
      const { items: pods } = await client.list(Pod, selection);
      const terminating = pods.filter(({ metadata }) => metadata.deletionTimestamp !== undefined);
      const { items: claims } = await client.list(PersistentVolumeClaim, selection);
      const isRemoved = (ordinal: number) =>
        ordinal >= nodes && (variant === 'fixed' || terminating.some((pod) => ordinalOf(pod) === ordinal));
      await deleteClaims(
        client,
        claims.filter((claim) => isRemoved(ordinalOf(claim))),
      );
    });
    new ControllerBuilder(manager)
      .for(Cassandra)
      .owns(StatefulSet)
      .watches(Pod, (pod) => requestsFromLabel(pod, 'app'))
      .watches(PersistentVolumeClaim, (claim) => requestsFromLabel(claim, 'app'))
      .complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: {
      holds: [
        {
          resource: 'pods',
          from: { before: 'is scaled down' },
          until: { after: 'is scaled down' },
          skips: true,
        },
      ],
    },
    async isHarmed({ client }) {
      return (await client.get(PersistentVolumeClaim, { ...key, name: 'data-cassandra-1' })) !== undefined;
    },
  },
});
