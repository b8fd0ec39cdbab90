import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
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

interface Rack extends KubernetesObject {
  spec: { version: string };
}

const Rack = defineKind<Rack>({
  apiVersion: 'rings.example.com/v1',
  kind: 'Rack',
  plural: 'racks',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'rack' };
const object: Rack = {
  apiVersion: 'rings.example.com/v1',
  kind: 'Rack',
  metadata: key,
  spec: { version: '4.1' },
};
const resource = 'racks.rings.example.com';
const finalizer = 'rings.example.com/claims';

export const deletesClaimByName = defineSubject<Rack>({
  title: 'deletes the claim of its pod, whose name it knows, before the object goes',
  bugs: ['k8ssandra/cass-operator K8SSAND-559'],
  pattern: 'stale',
  consequence: 'The claim of a new object with the same name is deleted, and its data with it.',
  definition: definitionOf(Rack, {
    spec: { version: { type: 'string', minLength: 1 } },
    required: ['version'],
  }),
  object,
  changes: {
    'is deleted': ({ client }) => client.delete(Rack, key),
    'is made again': ({ client }) => client.create(Rack, object),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('racks', connection, leaderElection);
    const { client, apiReader } = manager;
    const reconciler = objectReconciler(client, Rack, async (rack) => {
      const { name = '', namespace, uid = '', deletionTimestamp } = rack.metadata;
      if (!deletionTimestamp) {
        // Of the server: a new StatefulSet of an object that is gone would leave claims behind.
        const newest = await apiReader.get(Rack, { namespace, name });
        if (newest?.metadata.uid !== uid || newest.metadata.deletionTimestamp) return;
        await ensureFinalizer(client, Rack, rack, finalizer);
        const shape = { replicas: 1, image: `cassandra:${rack.spec.version}`, storage: '1Gi' };
        await client.apply(StatefulSet, statefulSetOf(rack, { ...shape, labels: { uid } }));
        return;
      }
      const current = await client.get(StatefulSet, { namespace, name });
      if (current && isControlledBy(current, rack)) {
        if (!current.metadata.deletionTimestamp)
          await client.delete(StatefulSet, current, { propagationPolicy: 'Foreground' });
        return;
      }
      // Of the server: a claim that the cache does not have yet would stay.
      const claim = await apiReader.get(PersistentVolumeClaim, { namespace, name: `data-${name}-0` });
      const isOwn = variant === 'buggy' || claim?.metadata.labels?.['uid'] === uid;
      if (claim && isOwn && !claim.metadata.deletionTimestamp)
        await client.delete(PersistentVolumeClaim, claim);
      await dropFinalizer(client, Rack, rack, finalizer);
    });
    new ControllerBuilder(manager).for(Rack).owns(StatefulSet).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: {
      holds: [{ resource, of: 'standby', from: { beforeWrite: { verb: 'patch', resource, occurrence: 2 } } }],
      failover: { after: 'is made again' },
    },
    async isHarmed({ client }) {
      const claim = await client.get(PersistentVolumeClaim, { ...key, name: 'data-rack-0' });
      return claim?.metadata.deletionTimestamp !== undefined;
    },
  },
});
