import { ConfigMap } from 'ots-kubernetes/core/v1';
import { TestEnvironment } from 'ots-testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import { Client } from '../client/client.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Manager } from '../manager/manager.ts';
import { controllerReference } from '../objects/owner-references.ts';
import { metadataOf } from '../objects/metadata-of.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const count = 60;
const namespace = 'default';

describe.each([
  ['with shard selectors', ['ShardedListAndWatch'] as const],
  ['without shard selectors', [] as const],
])('replicas divide the cache by UID %s', (_, enableFeatureGates) => {
  let environment: TestEnvironment;
  let client: Client;
  /** Which replica reconciled an object last. */
  const owners = new Map<string, string>();
  const running = new Map<string, string>();
  const complaints: string[] = [];

  beforeAll(async () => {
    environment = await TestEnvironment.start({ crds: [thingCrds], enableFeatureGates });
    client = new Client(environment.config);
    for (let index = 0; index < count; index += 1) {
      const object = thing(`thing-${index}`);
      await client.create(Thing, { ...object, metadata: { name: `thing-${index}`, namespace } });
    }
  }, 60_000);

  afterAll(async () => {
    await client.close();
    await environment.stop();
  });

  const create = async (name: string): Promise<Manager> => {
    const manager = await Manager.create({
      connection: environment.config,
      logger: createLogger({ level: 'silent' }),
      sharding: {
        leasePrefix: 'things',
        by: 'uid',
        namespace,
        identity: name,
        divideCache: true,
        retryPeriod: '300ms',
      },
    });
    onTestFinished(() => manager.stop());
    return manager;
  };
  const start = async (name: string): Promise<Manager> => {
    const manager = await create(name);
    new ControllerBuilder(manager)
      .for(Thing)
      .owns(ConfigMap)
      .complete(async (request) => {
        const other = running.get(request.name);
        if (other !== undefined) complaints.push(`${name} and ${other} reconcile ${request.name}`);
        running.set(request.name, name);
        try {
          const object = await manager.client.get(Thing, request);
          if (object)
            await manager.client.status.patch(Thing, request, { status: { size: object.spec.size } });
          owners.set(request.name, name);
        } finally {
          running.delete(request.name);
        }
      });
    manager.start().catch(() => {});
    await manager.ready;
    return manager;
  };
  const cached = (manager: Manager): string[] =>
    manager.cache.list(Thing).map(({ metadata }) => metadata.name!);
  const divided = async (...managers: Manager[]): Promise<void> => {
    for (const manager of managers) await manager.idle({ timeout: '25s' });
    const all = managers.flatMap(cached);
    expect(all.length).toBe(count);
    expect(new Set(all).size).toBe(count);
    for (const manager of managers) expect(cached(manager).length).toBeGreaterThan(5);
  };

  test('each object is in one cache while replicas join and leave, and its replica reconciles it', async () => {
    const a = await start('a');
    await divided(a);
    const b = await start('b');
    await divided(a, b);
    const c = await start('c');
    await divided(a, b, c);
    for (const [manager, name] of [
      [a, 'a'],
      [b, 'b'],
      [c, 'c'],
    ] as const)
      for (const key of cached(manager)) expect(owners.get(key)).toBe(name);

    // Children are in the caches of all, and reconcile their owner where that is.
    owners.clear();
    const { items } = await client.list(Thing, { namespace });
    for (const owner of items.slice(0, 10)) {
      await client.create(ConfigMap, {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        metadata: { name: owner.metadata.name!, namespace, ownerReferences: [controllerReference(owner)] },
      });
    }
    await divided(a, b, c);
    expect(owners.size).toBe(10);

    // Reads of objects of others are errors, and of no object are none.
    const foreign = { name: cached(b)[0]!, namespace };
    await expect(a.client.get(Thing, foreign)).rejects.toMatchObject({ code: 'OBJECT_NOT_CACHED' });
    expect((await a.apiReader.get(Thing, foreign))?.metadata.name).toBe(foreign.name);
    expect(await a.client.get(Thing, { name: 'missing', namespace })).toBeUndefined();

    owners.clear();
    await a.stop();
    await divided(b, c);
    for (const object of items)
      await client.patch(Thing, { name: object.metadata.name!, namespace }, { spec: { size: 7 } });
    await divided(b, c);
    for (const [manager, name] of [
      [b, 'b'],
      [c, 'c'],
    ] as const)
      for (const key of cached(manager)) expect(owners.get(key)).toBe(name);
    expect(complaints).toEqual([]);
  }, 120_000);

  test('a controller that watches all objects of a divided kind is refused', async () => {
    const manager = await create('refused');
    new ControllerBuilder(manager).for(Thing).complete(async () => {});
    new ControllerBuilder(manager)
      .named('metadata')
      .watches(metadataOf(Thing), () => [])
      .complete(async () => {});
    new ControllerBuilder(manager)
      .named('all')
      .watches(Thing, () => [])
      .complete(async () => {});
    await expect(manager.start()).rejects.toThrow('The replicas divide the cache of Thing');
  }, 30_000);
});
