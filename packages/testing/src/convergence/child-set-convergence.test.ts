import type { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import { StatefulSet } from 'ots-kubernetes/apps/v1';
import { ConfigMap, Pod } from 'ots-kubernetes/core/v1';
import {
  ChildSet,
  type Client,
  ControllerBuilder,
  type DeepReadonly,
  type KubernetesObject,
  Manager,
  createLogger,
  defineKind,
  desiredChild,
  objectReconciler,
} from 'ots-runtime';
import { expect, test } from 'vitest';
import { expectConvergence } from './expect-convergence.ts';

// An operator with a ChildSet, whatever happens to it while it replaces a StatefulSet and keeps its pods.

interface Database extends KubernetesObject {
  spec: { service: string; settings: string[] };
}

const Database = defineKind<Database>({
  apiVersion: 'example.com/v1',
  kind: 'Database',
  plural: 'databases',
  scope: 'Namespaced',
});
const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const definition: CustomResourceDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'databases.example.com' },
  spec: {
    group: 'example.com',
    names: { kind: 'Database', plural: 'databases' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec: open } } },
      },
    ],
  },
};
const key = { namespace: 'default', name: 'db' };

function desiredFor({ spec }: DeepReadonly<Database>) {
  const labels = { app: 'db' };
  const containers = [{ name: 'db', image: 'db' }];
  return [
    desiredChild(StatefulSet, {
      metadata: { name: 'db' },
      spec: {
        serviceName: spec.service,
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers } },
      },
    }),
    ...spec.settings.map((name) => desiredChild(ConfigMap, { metadata: { name }, data: { name } })),
  ];
}

/** Sorted by name. */
async function podUids(client: Client): Promise<(string | undefined)[]> {
  const { items } = await client.list(Pod, { namespace: 'default' });
  return items.map(({ metadata }) => metadata.uid);
}

test(
  'a StatefulSet is replaced and pods are kept, and children are pruned, whatever happens meanwhile',
  { timeout: 240_000 },
  async () => {
    let isUndisturbed = true;
    await expectConvergence({
      environment: { objects: [definition], workloads: true },
      identity: { user: 'system:admin', groups: ['system:masters'] },
      start: async (connection) => {
        const manager = await Manager.create({
          connection,
          userAgent: 'databases',
          logger: createLogger({ level: 'silent' }),
        });
        const children = new ChildSet(manager, {
          owner: Database,
          kinds: [{ kind: StatefulSet, onImmutable: 'Orphan' }, ConfigMap],
        });
        const builder = new ControllerBuilder(manager).for(Database);
        for (const kind of children.kinds) builder.owns(kind);
        const { client } = manager;
        builder.complete(
          objectReconciler(client, Database, async (database) => {
            await children.apply(database, desiredFor(database));
          }),
        );
        return manager;
      },
      object: {
        apiVersion: 'example.com/v1',
        kind: 'Database',
        metadata: key,
        spec: { service: 'first', settings: ['a', 'b'] },
      },
      changes: {
        'gets another service': async ({ client, environment }) => {
          const before = await podUids(client);
          await client.patch(Database, key, {
            spec: { service: 'second', settings: ['b', 'c'] },
          });
          if (!isUndisturbed) return;
          isUndisturbed = false;
          await environment.advance('1m');
          const { spec, status } = await client.getOrThrow(StatefulSet, key);
          expect([spec?.serviceName, status?.readyReplicas]).toEqual(['second', 2]);
          expect(before).toHaveLength(2);
          expect(await podUids(client)).toEqual(before);
        },
      },
    });
  },
);
