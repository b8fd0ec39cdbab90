import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { Job } from 'ots-kubernetes/batch/v1';
import { Pod } from 'ots-kubernetes/core/v1';
import { ControllerBuilder, type KubernetesObject, defineKind, objectReconciler } from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { jobOf } from '../building-blocks/job-of.ts';
import { statefulSetOf } from '../building-blocks/stateful-set-of.ts';
import { defineSubject } from '../subject.ts';

interface Store extends KubernetesObject {
  spec: { nodes: number };
  status?: { leaving?: string };
}

const Store = defineKind<Store>({
  apiVersion: 'rings.example.com/v1',
  kind: 'Store',
  plural: 'stores',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'store' };

export const forgetsReversedDecommission = defineSubject<Store>({
  title: 'decommissions a node with a Job before it removes the pod, and reports which one leaves',
  bugs: ['instaclustr/cassandra-operator 410'],
  pattern: 'indirect',
  consequence: 'A node stays decommissioned although the object asks for it: its pod runs without data.',
  definition: definitionOf(Store, {
    spec: { nodes: { type: 'integer', minimum: 1 } },
    required: ['nodes'],
    status: { leaving: { type: 'string' } },
  }),
  object: { apiVersion: 'rings.example.com/v1', kind: 'Store', metadata: key, spec: { nodes: 2 } },
  changes: {
    'is scaled down': ({ client }) => client.patch(Store, key, { spec: { nodes: 1 } }),
    'is scaled up again': ({ client }) => client.patch(Store, key, { spec: { nodes: 2 } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('stores', connection, leaderElection);
    const { client, apiReader } = manager;
    manager.cache.add(Pod);
    // Of the server, as the StatefulSet: for an old size, a node would leave once more.
    const reconciler = objectReconciler(apiReader, Store, async (store) => {
      const { nodes } = store.spec;
      const leaving = store.status?.leaving;
      const report = (next: string | null) => client.status.patch(Store, key, { status: { leaving: next } });
      const scaleTo = (replicas: number) =>
        client.apply(StatefulSet, statefulSetOf(store, { replicas, image: 'cassandra' }));
      const replicas = (await apiReader.get(StatefulSet, key))?.spec?.replicas ?? nodes;
      if (nodes < replicas && leaving === undefined) {
        await report(`${key.name}-${replicas - 1}`);
        return;
      }
      const job =
        leaving === undefined ? undefined : await client.get(Job, { ...key, name: `store-leave-${leaving}` });
      if (nodes < replicas) {
        if (!job) await client.create(Job, jobOf(store, `leave-${leaving}`));
        if (!job?.status?.succeeded) return;
        await scaleTo(replicas - 1);
        await client.delete(Job, job, { propagationPolicy: 'Background' });
        await report(null);
        return;
      }
      if (variant === 'fixed' && leaving !== undefined) {
        if (job && !job.status?.succeeded) return;
        // Its next pod joins again.
        const pod = await client.get(Pod, { ...key, name: leaving });
        if (job && pod) await client.delete(Pod, pod);
        if (job) await client.delete(Job, job, { propagationPolicy: 'Background' });
        await report(null);
      }
      await scaleTo(nodes);
    });
    new ControllerBuilder(manager).for(Store).owns(StatefulSet).owns(Job).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: { soon: ['is scaled up again'] },
    async isHarmed({ client }) {
      const { status } = await client.getOrThrow(Store, key);
      return status?.leaving !== undefined;
    },
  },
});
