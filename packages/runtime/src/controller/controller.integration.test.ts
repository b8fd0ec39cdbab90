import { type ConfigMap as ConfigMapObject, ConfigMap, Secret } from 'ots-kubernetes/core/v1';
import { beforeEach, describe, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import { KindNotCachedError } from '../cache/cache-errors.ts';
import type { Client } from '../client/client.ts';
import type { Manager } from '../manager/manager.ts';
import { controllerReference } from '../objects/owner-references.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { addFinalizer, removeFinalizer } from '../finalizers/finalizers.ts';
import { metadataOf } from '../objects/metadata-of.ts';
import type { ReconcileReason } from '../reasons/reason.ts';
import { reasonText } from '../reasons/reason-text.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { Channel } from './channel.ts';
import { ControllerBuilder } from './controller-builder.ts';
import { generationChanged } from './predicates.ts';
import { kindSource } from './kind-source.ts';
import { objectReconciler } from './object-reconciler.ts';
import { requestsFromLabel } from './map-function.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const finalizer = 'example.com/things';
const label = 'example.com/thing';
const server = apiServerFixture(thingCrds);
/** The test's own: it reads from the server. */
let client: Client;
let manager: Manager;
let namespace: string;

beforeEach(async () => {
  ({ client } = server);
  namespace = await server.createNamespace();
  manager = await server.createManager(namespace);
});

async function start(): Promise<void> {
  manager.start().catch(() => {});
  await manager.ready;
}

const key = (name: string): { name: string; namespace: string } => ({ name, namespace });
const here = (name: string, size = 1): Thing => ({ ...thing(name, size), metadata: key(name) });
const configMap = (name: string, metadata: Partial<ConfigMapObject['metadata']> = {}): ConfigMapObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { ...key(name), ...metadata },
});

/** Keeps a ConfigMap with the size of a Thing, and the size in its status. */
async function keep(object: DeepReadonly<Thing>): Promise<void> {
  const child = await manager.client.get(ConfigMap, key(object.metadata.name!));
  const data = { size: String(object.spec.size) };
  const { name } = object.metadata;
  if (!child) {
    await manager.client.create(ConfigMap, {
      ...configMap(name!, { ownerReferences: [controllerReference(object)] }),
      data,
    });
  } else if (child.data?.['size'] !== data.size) {
    await manager.client.patch(ConfigMap, key(name!), { data });
  }
  if (object.status?.size !== object.spec.size)
    await manager.client.status.patch(Thing, key(name!), { status: { size: object.spec.size } });
}

describe('a controller that keeps a child and a status', () => {
  test('creates them, follows changes, and reverts what others do to the child', async () => {
    new ControllerBuilder(manager)
      .for(Thing, { predicates: [generationChanged()] })
      .owns(ConfigMap)
      .complete(objectReconciler(manager.client, Thing, keep));
    await client.create(Thing, here('a', 1));
    await start();
    const childHas = (size: string) =>
      waitFor(async () => (await client.get(ConfigMap, key('a')))?.data?.['size'] === size);
    await childHas('1');
    await client.patch(Thing, key('a'), { spec: { size: 2 } });
    await childHas('2');
    await waitFor(async () => (await client.get(Thing, key('a')))?.status?.size === 2);
    await client.patch(ConfigMap, key('a'), { data: { size: 'wrong' } });
    await childHas('2');
    await client.delete(ConfigMap, key('a'));
    await childHas('2');
    const owner = await client.get(Thing, key('a'));
    const child = await client.get(ConfigMap, key('a'));
    expect(child!.metadata.ownerReferences).toEqual([controllerReference(owner!)]);
  });

  test('knows why it runs: the start, its own object, the child and its fields', async () => {
    const reasons: ReconcileReason[] = [];
    new ControllerBuilder(manager)
      .for(Thing)
      .owns(ConfigMap)
      .complete(async (_, context) => void reasons.push(...context.reasons));
    const a = await client.create(Thing, here('a'));
    await start();
    await manager.idle();
    await client.patch(Thing, key('a'), { spec: { size: 2 }, metadata: { labels: { app: 'x' } } });
    await manager.idle();
    const owned = configMap('child', { ownerReferences: [controllerReference(a)] });
    const child = await client.create(ConfigMap, { ...owned, data: { size: 'secret' } });
    await manager.idle();
    const changed = await client.patch(ConfigMap, key('child'), { data: { size: 'hidden', more: 'x' } });
    await manager.idle();
    await client.delete(ConfigMap, key('child'));
    await manager.idle();
    expect(reasons.map(reasonText)).toEqual([
      `Thing ${namespace}/a existed at the start`,
      `Thing ${namespace}/a updated: metadata.labels, spec.size`,
      `ConfigMap ${namespace}/child created`,
      `ConfigMap ${namespace}/child updated: data["more"], data["size"]`,
      `ConfigMap ${namespace}/child deleted`,
    ]);
    expect(reasons[3]).toMatchObject({
      apiVersion: 'v1',
      oldResourceVersion: child.metadata.resourceVersion,
      resourceVersion: changed.metadata.resourceVersion,
    });
    expect(JSON.stringify(reasons)).not.toMatch(/secret|hidden/);
  });

  test('a child that moves from one owner to another triggers both', async () => {
    const runs: string[] = [];
    new ControllerBuilder(manager)
      .for(Thing)
      .owns(ConfigMap)
      .complete(async ({ name }) => void runs.push(name));
    const a = await client.create(Thing, here('a'));
    const b = await client.create(Thing, here('b'));
    await client.create(ConfigMap, configMap('child', { ownerReferences: [controllerReference(a)] }));
    await start();
    await waitFor(() => runs.includes('a') && runs.includes('b'));
    runs.length = 0;
    await client.patch(ConfigMap, key('child'), { metadata: { ownerReferences: [controllerReference(b)] } });
    await waitFor(() => runs.length === 2);
    expect(runs.toSorted()).toEqual(['a', 'b']);
  });

  test('an object with a finalizer is deleted when the controller allows it', async () => {
    const released: string[] = [];
    new ControllerBuilder(manager).for(Thing).complete(
      objectReconciler(manager.client, Thing, async (object) => {
        const draft = structuredClone(object) as Thing;
        if (!object.metadata.deletionTimestamp) {
          if (addFinalizer(draft, finalizer)) await manager.client.update(Thing, draft);
        } else if (removeFinalizer(draft, finalizer)) {
          released.push(object.metadata.name!);
          await manager.client.update(Thing, draft);
        }
      }),
    );
    await start();
    await client.create(Thing, here('a'));
    await waitFor(
      async () => (await client.get(Thing, key('a')))?.metadata.finalizers?.includes(finalizer) ?? false,
    );
    await client.delete(Thing, key('a'));
    await waitFor(async () => (await client.get(Thing, key('a'))) === undefined);
    expect(released).toEqual(['a']);
  });
});

test('a watch on metadata maps objects without transferring anything else', async () => {
  const seen: object[] = [];
  const runs: unknown[] = [];
  new ControllerBuilder(manager)
    .named('secrets')
    .watchesMetadata(Secret, (object) => {
      seen.push(object);
      return requestsFromLabel(object, label);
    })
    .complete(async (request) => void runs.push(request));
  await client.create(Secret, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...key('s'), labels: { [label]: 'a' } },
    stringData: { password: 'hunter2' },
  });
  await start();
  await waitFor(() => runs.length > 0);
  expect(runs).toEqual([{ name: 'a', namespace }]);
  expect(Object.keys(seen[0]!).toSorted()).toEqual(['apiVersion', 'kind', 'metadata']);
  const reduced = await manager.client.get(metadataOf(Secret), key('s'));
  expect(reduced!.metadata.labels).toEqual({ [label]: 'a' });
  expect(() => manager.cache.get(Secret, key('s'))).toThrow(KindNotCachedError);
});

test('watches can be added and removed while the controller runs', async () => {
  const runs: string[] = [];
  const channel = new Channel();
  const controller = new ControllerBuilder(manager)
    .named('dynamic')
    .watchesSource(channel)
    .complete(async ({ name }) => void runs.push(name));
  await client.create(ConfigMap, configMap('before', { labels: { [label]: 'there' } }));
  await start();
  const watch = controller.watch(
    kindSource(manager.cache, ConfigMap, (object) => requestsFromLabel(object, label)),
  );
  await watch.synced;
  await waitFor(() => runs.includes('there'));
  await client.create(ConfigMap, configMap('after', { labels: { [label]: 'new' } }));
  await waitFor(() => runs.includes('new'));
  watch[Symbol.dispose]();
  // The last user is gone, and with it the watch and the memory.
  expect(() => manager.cache.list(ConfigMap)).toThrow(KindNotCachedError);
  await client.create(ConfigMap, configMap('late', { labels: { [label]: 'unseen' } }));
  const again = controller.watch(
    kindSource(manager.cache, ConfigMap, (object) => requestsFromLabel(object, label)),
  );
  await again.synced;
  await waitFor(() => runs.includes('unseen'));
  channel.push({ name: 'pushed' });
  await waitFor(() => runs.includes('pushed'));
});

test('200 objects and 8 workers: each object is reconciled, none twice at a time, and the last change is seen', async () => {
  const count = 200;
  const running = new Set<string>();
  const seen = new Map<string, number>();
  const overlaps: string[] = [];
  let most = 0;
  new ControllerBuilder(manager)
    .for(Thing)
    .withOptions({ maxConcurrentReconciles: 8 })
    .complete(async ({ name }) => {
      if (running.has(name)) overlaps.push(name);
      running.add(name);
      most = Math.max(most, running.size);
      const object = await manager.client.get(Thing, key(name));
      await new Promise((resolve) => setImmediate(resolve));
      seen.set(name, object?.spec.size ?? 0);
      running.delete(name);
    });
  const names = Array.from({ length: count }, (_, index) => `n${index}`);
  await Promise.all(names.map((name) => client.create(Thing, here(name, 1))));
  await start();
  await Promise.all(
    names.map(async (name, index) => {
      if (index % 2 === 0) await client.patch(Thing, key(name), { spec: { size: 2 } });
      if (index % 10 === 0) await client.delete(Thing, key(name));
    }),
  );
  const expected = (index: number): number => (index % 10 === 0 ? 0 : index % 2 === 0 ? 2 : 1);
  await waitFor(() => names.every((name, index) => seen.get(name) === expected(index)));
  expect(overlaps).toEqual([]);
  expect(most).toBeLessThanOrEqual(8);
  expect(most).toBeGreaterThan(1);
}, 60_000);
