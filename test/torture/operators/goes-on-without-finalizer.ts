import { ConfigMap } from 'ots-kubernetes/core/v1';
import {
  ControllerBuilder,
  type KubernetesObject,
  defineKind,
  dropFinalizer,
  ensureFinalizer,
  objectReconciler,
} from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { defineSubject } from '../subject.ts';

interface Tenant extends KubernetesObject {
  spec: { quota: string };
}

const Tenant = defineKind<Tenant>({
  apiVersion: 'coordination.example.com/v1',
  kind: 'Tenant',
  plural: 'tenants',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'tenant' };
// In another namespace it has no owner: a finalizer deletes it.
const settings = { namespace: 'kube-public', name: 'tenant-settings' };
const finalizer = 'coordination.example.com/settings';

export const goesOnWithoutFinalizer = defineSubject<Tenant>({
  title: 'keeps settings in another namespace, and deletes them before the object goes',
  bugs: ['pravega/zookeeper-operator 410'],
  pattern: 'indirect',
  consequence: 'The settings are made again when the object is gone, and stay forever.',
  definition: definitionOf(Tenant, { spec: { quota: { type: 'string' } }, required: ['quota'] }),
  object: {
    apiVersion: 'coordination.example.com/v1',
    kind: 'Tenant',
    metadata: key,
    spec: { quota: '10Gi' },
  },
  changes: {
    'gets a larger quota': ({ client }) => client.patch(Tenant, key, { spec: { quota: '20Gi' } }),
  },
  async start(connection, variant, leaderElection) {
    const manager = await createManager('tenants', connection, leaderElection);
    const { client, apiReader } = manager;
    manager.cache.add(ConfigMap);
    // Of the server: settings that are made for an object that is gone stay forever.
    const reconciler = objectReconciler(apiReader, Tenant, async (tenant) => {
      if (tenant.metadata.deletionTimestamp) {
        const current = await client.get(ConfigMap, settings);
        if (current) await client.delete(ConfigMap, current);
        await dropFinalizer(client, Tenant, tenant, finalizer);
        if (variant === 'fixed') return;
      } else await ensureFinalizer(client, Tenant, tenant, finalizer);
      await client.apply(ConfigMap, { metadata: settings, data: { quota: tenant.spec.quota } });
    });
    new ControllerBuilder(manager).for(Tenant).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: { edits: [{ title: 'is deleted', deletes: true }] },
    async isHarmed({ client }) {
      return (await client.get(ConfigMap, settings)) !== undefined;
    },
  },
});
