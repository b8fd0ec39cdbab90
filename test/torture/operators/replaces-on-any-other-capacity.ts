import { StatefulSet } from 'ots-kubernetes/apps/v1';
import {
  ControllerBuilder,
  type DeepReadonly,
  type KubernetesObject,
  defineKind,
  objectReconciler,
} from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { statefulSetOf } from '../building-blocks/stateful-set-of.ts';
import { defineSubject } from '../subject.ts';

interface Stream extends KubernetesObject {
  spec: { gigabytes: number };
}

const Stream = defineKind<Stream>({
  apiVersion: 'queues.example.com/v1',
  kind: 'Stream',
  plural: 'streams',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'stream' };
const deletion = 'delete statefulsets.apps default/stream';

/** Of each volume. */
function gigabytesOf({ spec }: DeepReadonly<StatefulSet>): number {
  return Number.parseInt(String(spec?.volumeClaimTemplates?.[0]?.spec?.resources?.requests?.['storage']), 10);
}

export const replacesOnAnyOtherCapacity = defineSubject<Stream>({
  title: 'replaces its StatefulSet when new volumes must be larger',
  bugs: ['rabbitmq/cluster-operator 653'],
  pattern: 'stale',
  consequence: 'The StatefulSet is deleted once more for a capacity that is out of date: all pods end.',
  definition: definitionOf(Stream, {
    spec: {
      gigabytes: {
        type: 'integer',
        minimum: 1,
        'x-kubernetes-validations': [{ rule: 'self >= oldSelf', message: 'volumes cannot shrink' }],
      },
    },
    required: ['gigabytes'],
  }),
  object: { apiVersion: 'queues.example.com/v1', kind: 'Stream', metadata: key, spec: { gigabytes: 1 } },
  changes: {
    'gets more storage': ({ client }) => client.patch(Stream, key, { spec: { gigabytes: 2 } }),
  },
  workloads: true,
  async start(connection, variant, leaderElection) {
    const manager = await createManager('streams', connection, leaderElection);
    const { client } = manager;
    const reconciler = objectReconciler(client, Stream, async (stream) => {
      const { gigabytes } = stream.spec;
      const current = await client.get(StatefulSet, key);
      if (current?.metadata.deletionTimestamp) return;
      const has = current ? gigabytesOf(current) : gigabytes;
      if (current && (variant === 'buggy' ? has !== gigabytes : has < gigabytes)) {
        await client.delete(StatefulSet, current);
        return;
      }
      const shape = { replicas: 1, image: 'rabbitmq', storage: `${Math.max(gigabytes, has)}Gi` };
      await client.apply(StatefulSet, statefulSetOf(stream, shape));
    });
    new ControllerBuilder(manager).for(Stream).owns(StatefulSet).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'writes',
    plan: {
      holds: [
        { resource: 'streams.queues.example.com', of: 'standby', from: { before: 'gets more storage' } },
      ],
      failover: { after: 'gets more storage' },
    },
    isHarmed: ({ writes }) => writes.filter((write) => write === deletion).length > 1,
  },
  prevented: {
    plan: {
      restart: { at: { after: 'gets more storage' }, staleSince: { before: 'gets more storage' } },
    },
    by: 'the first list of a cache asks for the newest state',
  },
});
