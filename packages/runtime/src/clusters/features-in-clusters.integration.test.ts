import { TestEnvironment } from 'ots-testing';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import { expect, onTestFinished, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { SettableClusters } from '../../test/settable-clusters.ts';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import { Client } from '../client/client.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import { requestKey } from '../controller/request-key.ts';
import type { ShardingOptions } from '../sharding/sharding-options.ts';
import { Clusters } from './clusters.ts';

// What builders and managers offer works in every cluster: pauses, references, shards. The manager's own cluster is the embedded API
// server, or a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture(thingCrds);
const key = (name: string) => ({ name, namespace: 'default' });
const annotation = 'example.com/paused';

async function otherCluster() {
  const environment = await TestEnvironment.start({ crds: [thingCrds], env: {} });
  const client = new Client(environment.config);
  onTestFinished(async () => {
    await client.close();
    await environment.stop();
  });
  return { client, connection: environment.config };
}

/** An operator for things in two clusters that refer to ConfigMaps and can be paused. */
async function startOperator(sharding?: Omit<ShardingOptions, 'namespace'>) {
  const namespace = await server.createNamespace();
  const manager = await server.createManager(namespace, {
    ...(sharding && { sharding: { ...sharding, namespace } }),
  });
  const [{ client: east, connection }, { client: west, ...inWest }] = [
    await otherCluster(),
    await otherCluster(),
  ];
  const clusters = new Clusters(manager, {
    provider: new SettableClusters({ east: connection, west: inWest.connection }),
  });
  const seen: string[] = [];
  new ControllerBuilder(clusters)
    .for(Thing)
    .references(ConfigMap, ({ metadata }) => metadata.name)
    .pausedBy(annotation)
    .complete(async (request) => {
      const found = await clusters.get(request.cluster).client.get(Thing, request);
      seen.push(`${requestKey(request)}: ${found?.spec.size}`);
    });
  for (const client of [east, west])
    await client.create(Thing, { ...thing('a', client === east ? 1 : 2), metadata: key('a') });
  manager.start().catch(() => {});
  await manager.ready;
  await manager.idle();
  return { manager, east, west, seen };
}

test('a reference and a pause concern the objects of their own cluster', async () => {
  const { manager, east, west, seen } = await startOperator();
  expect(seen.toSorted()).toEqual(['east//default/a: 1', 'west//default/a: 2']);
  seen.length = 0;
  await west.create(ConfigMap, { apiVersion: 'v1', kind: 'ConfigMap', metadata: key('a') });
  await manager.idle();
  expect(seen).toEqual(['west//default/a: 2']);
  seen.length = 0;
  await east.patch(Thing, key('a'), { metadata: { annotations: { [annotation]: 'true' } } });
  await manager.idle();
  for (const client of [east, west]) await client.patch(Thing, key('a'), { spec: { size: 3 } });
  await manager.idle();
  expect(seen).toEqual(['west//default/a: 3']);
  await east.patch(Thing, key('a'), { metadata: { annotations: { [annotation]: null } } } as never);
  await manager.idle();
  expect(seen).toEqual(['west//default/a: 3', 'east//default/a: 3']);
});

test.each(['namespace', 'uid'] as const)(
  'a replica that gets shards by %s reconciles the objects of all clusters in them',
  async (by) => {
    const { manager, east, seen } = await startOperator({ leasePrefix: 'fleet', by });
    expect(new Set(seen)).toEqual(new Set(['east//default/a: 1', 'west//default/a: 2']));
    await east.patch(Thing, key('a'), { spec: { size: 5 } });
    await manager.idle();
    expect(seen.at(-1)).toBe('east//default/a: 5');
  },
);
