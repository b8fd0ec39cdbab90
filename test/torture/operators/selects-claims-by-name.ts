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
import { deleteClaims } from '../building-blocks/delete-claims.ts';
import { statefulSetOf } from '../building-blocks/stateful-set-of.ts';
import { defineSubject } from '../subject.ts';

interface Ensemble extends KubernetesObject {
  spec: { replicas: number };
}

const Ensemble = defineKind<Ensemble>({
  apiVersion: 'coordination.example.com/v1',
  kind: 'Ensemble',
  plural: 'ensembles',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'zk' };
const object: Ensemble = {
  apiVersion: 'coordination.example.com/v1',
  kind: 'Ensemble',
  metadata: key,
  spec: { replicas: 1 },
};
const resource = 'ensembles.coordination.example.com';
const finalizer = 'coordination.example.com/claims';

export const selectsClaimsByName = defineSubject<Ensemble>({
  title: 'deletes the claims of its pods before the object goes',
  bugs: ['pravega/zookeeper-operator 312'],
  pattern: 'stale',
  consequence: 'The claims of a new object with the same name are deleted, and its data with them.',
  definition: definitionOf(Ensemble, {
    spec: { replicas: { type: 'integer', minimum: 1 } },
    required: ['replicas'],
  }),
  object,
  changes: {
    'is deleted': ({ client }) => client.delete(Ensemble, key),
    'is made again': ({ client }) => client.create(Ensemble, object),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('ensembles', connection, leaderElection);
    const { client, apiReader } = manager;
    const reconciler = objectReconciler(client, Ensemble, async (ensemble) => {
      const { name = '', namespace, uid = '', deletionTimestamp } = ensemble.metadata;
      if (!deletionTimestamp) {
        // Of the server: a new StatefulSet of an object that is gone would leave claims behind.
        const newest = await apiReader.get(Ensemble, { namespace, name });
        if (newest?.metadata.uid !== uid || newest.metadata.deletionTimestamp) return;
        await ensureFinalizer(client, Ensemble, ensemble, finalizer);
        const shape = { replicas: ensemble.spec.replicas, image: 'zookeeper', storage: '1Gi' };
        await client.apply(StatefulSet, statefulSetOf(ensemble, { ...shape, labels: { uid } }));
        return;
      }
      const current = await client.get(StatefulSet, { namespace, name });
      if (current && isControlledBy(current, ensemble)) {
        if (!current.metadata.deletionTimestamp)
          await client.delete(StatefulSet, current, { propagationPolicy: 'Foreground' });
        return;
      }
      const labelSelector = variant === 'buggy' ? `app=${name}` : `app=${name},uid=${uid}`;
      // Of the server: claims that the cache does not have yet would stay.
      const { items } = await apiReader.list(PersistentVolumeClaim, { namespace, labelSelector });
      await deleteClaims(client, items);
      await dropFinalizer(client, Ensemble, ensemble, finalizer);
    });
    new ControllerBuilder(manager).for(Ensemble).owns(StatefulSet).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: {
      holds: [{ resource, of: 'standby', from: { beforeWrite: { verb: 'patch', resource, occurrence: 2 } } }],
      failover: { after: 'is made again' },
    },
    async isHarmed({ client }) {
      const claim = await client.get(PersistentVolumeClaim, { ...key, name: 'data-zk-0' });
      return claim?.metadata.deletionTimestamp !== undefined;
    },
  },
});
