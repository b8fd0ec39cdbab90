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

interface Ring extends KubernetesObject {
  spec: { size: number };
}

const Ring = defineKind<Ring>({
  apiVersion: 'rings.example.com/v1',
  kind: 'Ring',
  plural: 'rings',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'ring' };

export const keepsOperationInMemory = defineSubject<Ring>({
  title: 'scales a StatefulSet down, and deletes the claims of the pods when they are gone',
  bugs: ['Orange-OpenSource/casskop 370'],
  pattern: 'crash',
  consequence: 'The claim of a removed pod stays and costs storage forever.',
  definition: definitionOf(Ring, { spec: { size: { type: 'integer', minimum: 1 } }, required: ['size'] }),
  object: { apiVersion: 'rings.example.com/v1', kind: 'Ring', metadata: key, spec: { size: 2 } },
  changes: {
    'is scaled down': ({ client }) => client.patch(Ring, key, { spec: { size: 1 } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('rings', connection, leaderElection);
    const { client, apiReader } = manager;
    /** The first ordinal without a pod, of rings that were scaled down. */
    const removing = new Map<string, number>();
    // Of the server: what it deletes for an old size does not come back.
    const reconciler = objectReconciler(apiReader, Ring, async (ring) => {
      const { name = '', namespace } = ring.metadata;
      const wanted = statefulSetOf(ring, { replicas: ring.spec.size, image: 'cassandra', storage: '1Gi' });
      const before = await client.get(StatefulSet, wanted.metadata);
      if ((before?.spec?.replicas ?? 0) > ring.spec.size) removing.set(name, ring.spec.size);
      const { status } = await client.apply(StatefulSet, wanted, { force: true });
      const first = variant === 'fixed' ? ring.spec.size : removing.get(name);
      if (first === undefined || status?.replicas !== ring.spec.size) return;
      const { items } = await client.list(PersistentVolumeClaim, { namespace, labelSelector: `app=${name}` });
      await deleteClaims(
        client,
        items.filter((claim) => ordinalOf(claim) >= first),
      );
      removing.delete(name);
    });
    new ControllerBuilder(manager)
      .for(Ring)
      .owns(StatefulSet)
      .watches(PersistentVolumeClaim, (claim) => requestsFromLabel(claim, 'app'))
      .complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: { crashAfter: { verb: 'patch', resource: 'statefulsets.apps', occurrence: 2 } },
    async isHarmed({ client }) {
      return (await client.get(PersistentVolumeClaim, { ...key, name: 'data-ring-1' })) !== undefined;
    },
  },
});
