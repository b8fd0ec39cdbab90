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

interface Zookeeper extends KubernetesObject {
  spec: { replicas: number };
}

const Zookeeper = defineKind<Zookeeper>({
  apiVersion: 'coordination.example.com/v1',
  kind: 'Zookeeper',
  plural: 'zookeepers',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'zk' };

export const cleansUpWhileScalingDown = defineSubject<Zookeeper>({
  title: 'deletes the claims of pods while they are removed',
  bugs: ['pravega/zookeeper-operator 453'],
  pattern: 'unobserved',
  consequence: 'The claim of a removed pod stays, and a later pod starts with its old data.',
  definition: definitionOf(Zookeeper, {
    spec: { replicas: { type: 'integer', minimum: 1 } },
    required: ['replicas'],
  }),
  object: {
    apiVersion: 'coordination.example.com/v1',
    kind: 'Zookeeper',
    metadata: key,
    spec: { replicas: 2 },
  },
  changes: {
    'is scaled down': ({ client }) => client.patch(Zookeeper, key, { spec: { replicas: 1 } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('zookeepers', connection, leaderElection);
    const { client, apiReader } = manager;
    // Of the server: what it deletes for an old size does not come back.
    const reconciler = objectReconciler(apiReader, Zookeeper, async (zookeeper) => {
      const { name, namespace } = zookeeper.metadata;
      const { spec, status } = (await client.get(StatefulSet, key)) ?? {};
      const replicas = spec?.replicas ?? Infinity;
      const hasSurplus = variant === 'buggy' ? (status?.replicas ?? 0) > replicas : true;
      if (hasSurplus) {
        const selection = { namespace, labelSelector: `app=${name}` };
        const { items } = await client.list(PersistentVolumeClaim, selection);
        await deleteClaims(
          client,
          items.filter((claim) => ordinalOf(claim) >= replicas),
        );
      }
      const shape = { replicas: zookeeper.spec.replicas, image: 'zookeeper', storage: '1Gi' };
      await client.apply(StatefulSet, statefulSetOf(zookeeper, shape));
    });
    new ControllerBuilder(manager)
      .for(Zookeeper)
      .owns(StatefulSet)
      .watches(PersistentVolumeClaim, (claim) => requestsFromLabel(claim, 'app'))
      .complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: {
      holds: [
        {
          resource: 'statefulsets.apps',
          from: { before: 'is scaled down' },
          until: { after: 'is scaled down' },
          skips: true,
        },
      ],
    },
    async isHarmed({ client }) {
      return (await client.get(PersistentVolumeClaim, { ...key, name: 'data-zk-1' })) !== undefined;
    },
  },
});
