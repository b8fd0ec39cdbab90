import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { PersistentVolumeClaim } from 'ots-kubernetes/core/v1';
import {
  type Client,
  ControllerBuilder,
  type DeepReadonly,
  type KubernetesObject,
  defineKind,
  dropFinalizer,
  ensureFinalizer,
  isNotFound,
  objectReconciler,
} from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { statefulSetOf } from '../building-blocks/stateful-set-of.ts';
import { type Variant, defineSubject } from '../subject.ts';

interface Rack extends KubernetesObject {
  spec: { size: number };
}

const Rack = defineKind<Rack>({
  apiVersion: 'rings.example.com/v1',
  kind: 'Rack',
  plural: 'racks',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'rack' };
const object: Rack = { apiVersion: 'rings.example.com/v1', kind: 'Rack', metadata: key, spec: { size: 1 } };
const resource = 'racks.rings.example.com';
const finalizer = 'rings.example.com/claims';

async function deleteClaims(client: Client, { metadata, spec }: DeepReadonly<Rack>, variant: Variant) {
  for (let ordinal = 0; ordinal < spec.size; ordinal += 1) {
    const claimKey = { namespace: metadata.namespace, name: `data-${metadata.name}-${ordinal}` };
    const claim = await client.get(PersistentVolumeClaim, claimKey);
    if (variant === 'fixed' && claim?.metadata.labels?.['uid'] !== metadata.uid) continue;
    await client.delete(PersistentVolumeClaim, claimKey).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  }
}

export const deletesClaimByName = defineSubject<Rack>({
  title: 'deletes the claims of its pods, whose names it knows, before the object goes',
  bugs: ['k8ssandra/cass-operator K8SSAND-559'],
  pattern: 'stale',
  consequence: 'The claims of a new object with the same name are deleted, and its data with them.',
  definition: definitionOf(Rack, { spec: { size: { type: 'integer', minimum: 1 } }, required: ['size'] }),
  object,
  changes: {
    'is deleted': ({ client }) => client.delete(Rack, key),
    'is made again': ({ client }) => client.create(Rack, object),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('racks', connection, leaderElection);
    const { client } = manager;
    manager.cache.add(PersistentVolumeClaim);
    const reconciler = objectReconciler(client, Rack, async (rack) => {
      const { uid = '', deletionTimestamp } = rack.metadata;
      if (deletionTimestamp) {
        await deleteClaims(client, rack, variant);
        await dropFinalizer(client, Rack, rack, finalizer);
        return;
      }
      await ensureFinalizer(client, Rack, rack, finalizer);
      const shape = { replicas: rack.spec.size, image: 'cassandra', storage: '1Gi', labels: { uid } };
      await client.apply(StatefulSet, statefulSetOf(rack, shape));
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
