import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { PersistentVolumeClaim, Pod } from 'ots-kubernetes/core/v1';
import {
  ControllerBuilder,
  type DeepReadonly,
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
const deletion = 'delete persistentvolumeclaims default/data-cassandra-1';

export const deletesClaimsWithoutPods = defineSubject<Cassandra>({
  title: 'deletes claims that no pod uses, when all pods are ready',
  bugs: ['instaclustr/cassandra-operator 402'],
  pattern: 'stale',
  consequence: 'The claim of a new pod is deleted, and its data with it when the pod ends.',
  definition: definitionOf(Cassandra, {
    spec: { nodes: { type: 'integer', minimum: 1 } },
    required: ['nodes'],
  }),
  object: { apiVersion: 'rings.example.com/v1', kind: 'Cassandra', metadata: key, spec: { nodes: 2 } },
  changes: {
    'is scaled down': ({ client }) => client.patch(Cassandra, key, { spec: { nodes: 1 } }),
    'is scaled up': ({ client }) => client.patch(Cassandra, key, { spec: { nodes: 2 } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('cassandras', connection, leaderElection);
    const { client, apiReader } = manager;
    // Of the server: what it deletes for an old size does not come back.
    const reconciler = objectReconciler(apiReader, Cassandra, async (cassandra) => {
      const { name, namespace } = cassandra.metadata;
      const shape = { replicas: cassandra.spec.nodes, image: 'cassandra', storage: '1Gi' };
      const { spec, status } = await client.apply(StatefulSet, statefulSetOf(cassandra, shape));
      const replicas = spec?.replicas ?? 0;
      if (status?.replicas !== replicas || status.readyReplicas !== replicas) return;
      const selection = { namespace, labelSelector: `app=${name}` };
      const { items: pods } = await client.list(Pod, selection);
      const { items: claims } = await client.list(PersistentVolumeClaim, selection);
      const isUsed = (claim: DeepReadonly<PersistentVolumeClaim>) =>
        variant === 'buggy'
          ? pods.some((pod) => `data-${pod.metadata.name}` === claim.metadata.name)
          : ordinalOf(claim) < replicas;
      await deleteClaims(
        client,
        claims.filter((claim) => !isUsed(claim)),
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
    plan: { holds: [{ resource: 'pods', from: { before: 'is scaled up' } }] },
    isHarmed: ({ writes }) => writes.filter((write) => write === deletion).length > 1,
  },
});
