import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { Job } from 'ots-kubernetes/batch/v1';
import {
  ControllerBuilder,
  type KubernetesObject,
  defineKind,
  isControlledBy,
  objectReconciler,
} from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { jobOf } from '../building-blocks/job-of.ts';
import { ordinalOf, statefulSetOf } from '../building-blocks/stateful-set-of.ts';
import { defineSubject } from '../subject.ts';

type Phase = 'Ready' | 'Decommissioning';
interface Ring extends KubernetesObject {
  spec: { size: number };
  status?: { phase?: Phase };
}

const Ring = defineKind<Ring>({
  apiVersion: 'rings.example.com/v1',
  kind: 'Ring',
  plural: 'rings',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'ring' };

export const waitsForRunningJob = defineSubject<Ring>({
  title: 'decommissions a node with a Job before it removes the pod',
  bugs: ['Orange-OpenSource/casskop 342'],
  pattern: 'unobserved',
  consequence: 'The node is decommissioned, but its pod is never removed.',
  definition: definitionOf(Ring, {
    spec: { size: { type: 'integer', minimum: 1 } },
    required: ['size'],
    status: { phase: { type: 'string', enum: ['Ready', 'Decommissioning'] } },
  }),
  object: { apiVersion: 'rings.example.com/v1', kind: 'Ring', metadata: key, spec: { size: 2 } },
  changes: {
    'is scaled down': ({ client }) => client.patch(Ring, key, { spec: { size: 1 } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('rings', connection, leaderElection);
    const { client, apiReader } = manager;
    // Of the server, as the StatefulSet: for an old size, a node would leave once more.
    const reconciler = objectReconciler(apiReader, Ring, async (ring) => {
      const { size } = ring.spec;
      const enter = (phase: Phase) =>
        client.status.patch(Ring, ring, (draft) => {
          draft.status = { phase };
        });
      const scaleTo = (replicas: number) =>
        client.apply(StatefulSet, statefulSetOf(ring, { replicas, image: 'cassandra' }));
      const current = await apiReader.get(StatefulSet, key);
      const replicas = current?.spec?.replicas ?? 0;
      // Another node may have this ordinal later.
      const { items: jobs } = await client.list(Job, { namespace: ring.metadata.namespace });
      for (const job of current ? jobs : [])
        if (isControlledBy(job, ring) && ordinalOf(job) >= replicas)
          await client.delete(Job, job, { propagationPolicy: 'Background' });
      if (size >= replicas) {
        await scaleTo(size);
        await enter('Ready');
        return;
      }
      const wanted = jobOf(ring, `decommission-${replicas - 1}`);
      const job = await client.get(Job, wanted.metadata);
      if (!job) {
        await client.create(Job, wanted);
        return;
      }
      const { active = 0, succeeded = 0 } = job.status ?? {};
      if (ring.status?.phase !== 'Decommissioning') {
        if (active > 0 || (variant === 'fixed' && succeeded > 0)) await enter('Decommissioning');
        return;
      }
      if (succeeded > 0) await scaleTo(replicas - 1);
    });
    new ControllerBuilder(manager).for(Ring).owns(StatefulSet).owns(Job).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: {
      holds: [
        {
          resource: 'jobs.batch',
          from: { before: 'is scaled down' },
          until: { after: 'is scaled down' },
          skips: true,
        },
      ],
    },
    async isHarmed({ client }) {
      return (await client.getOrThrow(StatefulSet, key)).spec?.replicas !== 1;
    },
  },
});
