import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
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

interface Quorum extends KubernetesObject {
  spec: { replicas: number };
}

const Quorum = defineKind<Quorum>({
  apiVersion: 'coordination.example.com/v1',
  kind: 'Quorum',
  plural: 'quorums',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'quorum' };

export const trustsOldReplicaCount = defineSubject<Quorum>({
  title: 'scales a StatefulSet, and deletes the claims that have no pods any more',
  bugs: ['pravega/zookeeper-operator 314'],
  pattern: 'stale',
  consequence: 'A member is removed for a count that is out of date, and its data is deleted.',
  definition: definitionOf(Quorum, {
    spec: { replicas: { type: 'integer', minimum: 1 } },
    required: ['replicas'],
  }),
  object: {
    apiVersion: 'coordination.example.com/v1',
    kind: 'Quorum',
    metadata: key,
    spec: { replicas: 1 },
  },
  changes: {
    'gets another member': ({ client }) => client.patch(Quorum, key, { spec: { replicas: 2 } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('quorums', connection, leaderElection);
    const { client, apiReader } = manager;
    // Of the server: what it deletes for an old count does not come back.
    const reader = variant === 'fixed' ? apiReader : client;
    const reconciler = objectReconciler(reader, Quorum, async (quorum) => {
      const { name, namespace } = quorum.metadata;
      const { replicas } = quorum.spec;
      const shape = { replicas, image: 'zookeeper', storage: '1Gi' };
      const { status } = await client.apply(StatefulSet, statefulSetOf(quorum, shape));
      if (status?.replicas !== replicas) return;
      const { items } = await client.list(PersistentVolumeClaim, { namespace, labelSelector: `app=${name}` });
      await deleteClaims(
        client,
        items.filter((claim) => ordinalOf(claim) >= replicas),
      );
    });
    new ControllerBuilder(manager)
      .for(Quorum)
      .owns(StatefulSet)
      .watches(PersistentVolumeClaim, (claim) => requestsFromLabel(claim, 'app'))
      .complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'writes',
    plan: {
      holds: [
        {
          resource: 'quorums.coordination.example.com',
          of: 'standby',
          from: { before: 'gets another member' },
        },
      ],
      failover: { after: 'gets another member' },
    },
    isHarmed: ({ writes }) => writes.includes('delete persistentvolumeclaims default/data-quorum-1'),
  },
  prevented: {
    plan: {
      restart: { at: { after: 'gets another member' }, staleSince: { before: 'gets another member' } },
    },
    by: 'the first list of a cache asks for the newest state',
  },
});
