import { Deployment } from 'ots-kubernetes/apps/v1';
import {
  ControllerBuilder,
  type DeepReadonly,
  type KubernetesObject,
  controllerReference,
  defineKind,
  objectReconciler,
} from 'ots-runtime';
import { createManager } from '../building-blocks/create-manager.ts';
import { definitionOf } from '../building-blocks/definition-of.ts';
import { defineSubject } from '../subject.ts';

interface Database extends KubernetesObject {
  spec: { version: string };
}

const Database = defineKind<Database>({
  apiVersion: 'databases.example.com/v1',
  kind: 'Database',
  plural: 'databases',
  scope: 'Namespaced',
});
const key = { namespace: 'default', name: 'db' };

function deploymentOf(database: DeepReadonly<Database>) {
  const labels = { app: database.metadata.name! };
  const containers = [{ name: 'db', image: `db:${database.spec.version}` }];
  return {
    metadata: { ...key, ownerReferences: [controllerReference(database)] },
    spec: {
      replicas: 1,
      // Two must not write to the same data.
      strategy: { type: 'Recreate' },
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  } as const;
}

export const waitsBeforeItRepairs = defineSubject<Database>({
  title: 'updates a database, one version after the other',
  bugs: [
    'k8ssandra/cass-operator 315',
    'k8ssandra/cass-operator 334',
    'redpanda-data/redpanda-operator 196',
    'scylladb/scylla-operator 2459',
  ],
  pattern: 'rollback',
  consequence:
    'After a version that does not start, no change repairs the database: the operator waits for it.',
  definition: definitionOf(Database, { spec: { version: { type: 'string' } }, required: ['version'] }),
  object: { apiVersion: 'databases.example.com/v1', kind: 'Database', metadata: key, spec: { version: '1' } },
  changes: {
    'gets another version': ({ client }) => client.patch(Database, key, { spec: { version: '2' } }),
  },
  workloads: { images: { 'db:3': { readyAfter: '24h' } } },
  async start(connection, variant, leaderElection) {
    const manager = await createManager('databases', connection, leaderElection);
    const { client } = manager;
    const reconciler = objectReconciler(client, Database, async (database) => {
      const current = await client.get(Deployment, key);
      const isReady = (current?.status?.availableReplicas ?? 0) > 0;
      if (variant === 'buggy' && current && !isReady) return;
      await client.apply(Deployment, deploymentOf(database));
    });
    new ControllerBuilder(manager).for(Database).owns(Deployment).complete(reconciler);
    return manager;
  },
  demonstration: {
    seenIn: 'state',
    plan: {
      edits: [
        { title: 'gets a version that does not start', patch: { spec: { version: '3' } } },
        { title: 'gets its version back', patch: { spec: { version: '2' } } },
      ],
    },
    async isHarmed({ client }) {
      return !(await client.getOrThrow(Deployment, key)).status?.availableReplicas;
    },
  },
});
