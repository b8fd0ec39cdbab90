import { type KubernetesObject, defineKind } from 'ots-kubernetes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { Thing, thing, thingCrds } from '../../test/thing.ts';
import { Client } from '../client/client.ts';
import { type Clock, systemClock } from 'ots-apimachinery/clock/clock';
import { createLogger } from '../logging/create-logger.ts';
import { createOrUpdate } from '../create-or-update/create-or-update.ts';
import { metadataOf } from '../objects/metadata-of.ts';
import { projectionOf } from '../objects/projection-of.ts';
import { Transport } from '../transport/transport.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { Cache } from './cache.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

interface ConfigMap extends KubernetesObject {
  apiVersion: 'v1';
  kind: 'ConfigMap';
  data?: Record<string, string>;
}
const ConfigMap = defineKind<ConfigMap>({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  plural: 'configmaps',
  scope: 'Namespaced',
});
const Namespace = defineKind({ apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', scope: 'Cluster' });

interface Late extends KubernetesObject {
  apiVersion: 'late.example.com/v1';
  kind: 'Late';
}
const Late = defineKind<Late>({
  apiVersion: 'late.example.com/v1',
  kind: 'Late',
  plural: 'lates',
  scope: 'Namespaced',
});
const CustomResourceDefinition = defineKind({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  plural: 'customresourcedefinitions',
  scope: 'Cluster',
});

const apiServer = apiServerFixture(thingCrds);
let transport: Transport;
let client: Client;
let cache: Cache;
let stop: AbortController;
let namespaces: [string, string];
let tests = 0;

beforeEach(async () => {
  tests += 1;
  transport = new Transport(apiServer.config);
  cache = makeCache(systemClock);
  client = new Client(transport, { cache });
  stop = new AbortController();
  namespaces = [`cache-${tests}-a`, `cache-${tests}-b`];
  for (const name of namespaces) {
    await client.create(Namespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
});

afterEach(async () => {
  stop.abort();
  await cache.stopped();
  await transport.close();
});

function makeCache(clock: Clock): Cache {
  return new Cache({ transport, namespaces: undefined, clock, logger: createLogger({ level: 'silent' }) });
}

async function start(): Promise<void> {
  cache.start(stop.signal);
  await cache.synced(stop.signal);
}

function configMap(name: string, namespace: string, labels: Record<string, string> = {}): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace, labels }, data: { name } };
}

const names = (objects: readonly { metadata: { name?: string } }[]): string[] =>
  objects.map(({ metadata }) => metadata.name ?? '').toSorted();

test('selectors and namespaces limit the cache, and label changes move objects in and out', async () => {
  const [one, two] = namespaces;
  cache.add(ConfigMap, { namespaces: [one], labelSelector: { matchLabels: { app: 'web' } } });
  const log: string[] = [];
  cache.informer(ConfigMap).addHandler({
    added: ({ metadata }) => log.push(`added ${metadata.name}`),
    updated: (_, { metadata }) => log.push(`updated ${metadata.name}`),
    deleted: ({ metadata }) => log.push(`deleted ${metadata.name}`),
  });
  await client.create(ConfigMap, configMap('in', one, { app: 'web' }));
  await client.create(ConfigMap, configMap('out', one));
  await client.create(ConfigMap, configMap('elsewhere', two, { app: 'web' }));
  await start();
  expect(names(cache.list(ConfigMap))).toEqual(['in']);
  await client.patch(ConfigMap, { name: 'out', namespace: one }, { metadata: { labels: { app: 'web' } } });
  await client.patch(ConfigMap, { name: 'in', namespace: one }, { metadata: { labels: { app: 'db' } } });
  // Before the watch says so.
  expect(names(cache.list(ConfigMap))).toEqual(['out']);
  await waitFor(() => log.length === 3);
  expect(log).toEqual(['added in', 'added out', 'deleted in']);
  expect(names(cache.list(ConfigMap))).toEqual(['out']);
});

test('a field selector on the name caches one object', async () => {
  const [one] = namespaces;
  cache.add(ConfigMap, { namespaces: [one], fieldSelector: 'metadata.name=mine' });
  await start();
  await client.create(ConfigMap, configMap('other', one));
  await client.create(ConfigMap, configMap('mine', one));
  expect(names(cache.list(ConfigMap))).toEqual(['mine']);
  await waitFor(() => cache.informer(ConfigMap).isSynced);
});

test('a metadata kind is listed and watched, and its objects have the kind', async () => {
  const [one] = namespaces;
  await client.create(ConfigMap, configMap('first', one));
  cache.add(metadataOf(ConfigMap), { namespaces: [one] });
  const seen: object[] = [];
  cache.informer(metadataOf(ConfigMap)).addHandler({
    added: (object) => seen.push(object),
    updated() {},
    deleted() {},
  });
  await start();
  await client.create(ConfigMap, configMap('second', one));
  await waitFor(() => seen.some((each) => (each as ConfigMap).metadata.name === 'second'));
  for (const each of seen) {
    expect(each).toMatchObject({ apiVersion: 'v1', kind: 'ConfigMap' });
    expect(each).not.toHaveProperty('data');
  }
});

test('a projection has the same fields in every read, and cannot remove the others from an object', async () => {
  const [one] = namespaces;
  const key = { name: 'a', namespace: one };
  const Small = projectionOf(Thing, ['spec.text']);
  const live = new Client(transport, { fieldOwner: 'test' });
  const whole = { ...thing('a', 3), metadata: key };
  whole.spec.text = 'x';
  await client.create(Thing, whole);
  cache.add(Small, { namespaces: [one] });
  await start();
  const answers = [
    await client.get(Small, key),
    (await client.list(Small, { namespace: one })).items[0],
    await live.get(Small, key),
    (await live.list(Small, { namespace: one })).items[0],
    await client.patch(Small, key, { metadata: { labels: { a: 'b' } } }),
    await client.get(Small, key),
  ];
  for (const { metadata, ...rest } of answers.map((each) => each!)) {
    expect(rest).toEqual({ apiVersion: 'example.com/v1', kind: 'Thing', spec: { text: 'x' } });
    expect(metadata).toMatchObject({ ...key, uid: expect.any(String) });
  }
  const small = await client.getOrThrow(Small, key);
  const patched = await client.patch(Small, small, (draft) => void (draft.spec.text = 'y'));
  expect([patched.spec, cache.get(Small, key)?.spec]).toEqual([{ text: 'y' }, { text: 'y' }]);
  const refusal = expect.objectContaining({
    code: 'USAGE',
    message: expect.stringContaining('with only its spec.text'),
  });
  await expect(client.update(Small, small)).rejects.toEqual(refusal);
  await expect(client.status.update(Small, small)).rejects.toEqual(refusal);
  await expect(client.create(Small, small)).rejects.toEqual(refusal);
  await expect(client.apply(Small, { metadata: key, spec: { text: 'z' } })).rejects.toEqual(refusal);
  await expect(
    createOrUpdate(client, Small, key, (draft) => void (draft.metadata.labels = {})),
  ).rejects.toEqual(refusal);
  expect((await live.getOrThrow(Thing, key)).spec).toEqual({ size: 3, text: 'y' });
  await client.delete(Small, key);
  expect(cache.list(Small)).toEqual([]);
});

test('an apply of a whole object does not mistake a projection for it', async () => {
  const [one] = namespaces;
  const key = { name: 'a', namespace: one };
  cache.add(projectionOf(Thing, ['spec.text']), { namespaces: [one] });
  await start();
  const apply = (size: number): Promise<Thing> =>
    client.apply(Thing, { metadata: key, spec: { size, text: 'x' } }, { fieldOwner: 'test' });
  const sizes = [await apply(1), await apply(1), await apply(2)].map(({ spec }) => spec.size);
  expect(sizes).toEqual([1, 1, 2]);
  expect(cache.list(projectionOf(Thing, ['spec.text']))).toHaveLength(1);
});

test('lookups by index and namespace need no scan and include own writes', async () => {
  const [one, two] = namespaces;
  cache.add(ConfigMap, { namespaces });
  cache.addIndex(ConfigMap, 'app', ({ metadata }) => Object.values(metadata.labels ?? {}));
  await start();
  await client.create(ConfigMap, configMap('a', one, { app: 'web' }));
  await client.create(ConfigMap, configMap('b', two, { app: 'web' }));
  await client.create(ConfigMap, configMap('c', two, { app: 'db' }));
  expect(names(cache.list(ConfigMap, { index: { app: 'web' } }))).toEqual(['a', 'b']);
  expect(names(cache.list(ConfigMap, { index: { app: 'web' }, namespace: two }))).toEqual(['b']);
  await client.delete(ConfigMap, { name: 'b', namespace: two });
  expect(names(cache.list(ConfigMap, { index: { app: 'web' } }))).toEqual(['a']);
});

test('a kind can be added and removed while the cache runs', async () => {
  const [one] = namespaces;
  await start();
  await client.create(ConfigMap, configMap('a', one));
  for (let round = 1; round <= 3; round += 1) {
    const use = cache.add(ConfigMap, { namespaces: [one] });
    await cache.informer(ConfigMap).synced;
    expect(names(cache.list(ConfigMap))).toContain('a');
    use[Symbol.dispose]();
    expect(() => cache.list(ConfigMap)).toThrow(expect.objectContaining({ code: 'KIND_NOT_CACHED' }));
  }
});

test('a read right after a write returns the write, hundreds of times', async () => {
  const [one] = namespaces;
  cache.add(Thing, { namespaces: [one] });
  await start();
  const key = { name: 'a', namespace: one };
  const made = await client.create(Thing, { ...thing('a', 0), metadata: key });
  expect(cache.get(Thing, key)?.metadata.uid).toBe(made.metadata.uid);
  for (let size = 1; size <= 300; size += 1) {
    const written = await client.patch(Thing, key, { spec: { size } });
    const read = cache.get(Thing, key);
    expect(read?.spec.size).toBe(size);
    expect(read?.metadata.resourceVersion).toBe(written.metadata.resourceVersion);
  }
  await client.delete(Thing, key);
  expect(cache.get(Thing, key)).toBeUndefined();
  expect(cache.list(Thing)).toEqual([]);
  const again = await client.create(Thing, { ...thing('a', 0), metadata: key });
  expect(cache.get(Thing, key)?.metadata.uid).toBe(again.metadata.uid);
}, 60_000);

test('the removal of the last finalizer hides the object at once', async () => {
  const [one] = namespaces;
  cache.add(Thing, { namespaces: [one] });
  await start();
  const key = { name: 'a', namespace: one };
  await client.create(Thing, { ...thing('a'), metadata: { ...key, finalizers: ['example.com/held'] } });
  await client.delete(Thing, key);
  expect(cache.get(Thing, key)?.metadata.deletionTimestamp).toBeDefined();
  await client.patch(Thing, key, { metadata: { finalizers: null } });
  expect(cache.get(Thing, key)).toBeUndefined();
});

test('the initial state can arrive as a stream', async () => {
  const [one] = namespaces;
  await client.create(ConfigMap, configMap('a', one));
  cache.add(ConfigMap, { namespaces: [one], watchList: true });
  const log: string[] = [];
  cache.informer(ConfigMap).addHandler({
    added: ({ metadata }, { isInitial }) => log.push(`${metadata.name} ${isInitial}`),
    updated() {},
    deleted() {},
  });
  await start();
  expect(names(cache.list(ConfigMap))).toContain('a');
  await client.create(ConfigMap, configMap('b', one));
  await waitFor(() => log.includes('b false'));
  expect(log).toContain('a true');
});

test('pages deliver every object once', async () => {
  const [one] = namespaces;
  const count = 620;
  const made = Array.from({ length: count }, (_, index) => `m${index}`);
  for (let from = 0; from < count; from += 62) {
    await Promise.all(
      made.slice(from, from + 62).map((name) => client.create(ConfigMap, configMap(name, one))),
    );
  }
  cache.add(ConfigMap, { namespaces: [one], labelSelector: '' });
  const added: string[] = [];
  cache.informer(ConfigMap).addHandler({
    added: ({ metadata }) => added.push(metadata.name!),
    updated() {},
    deleted() {},
  });
  await start();
  expect(names(cache.list(ConfigMap)).filter((name) => name.startsWith('m'))).toEqual(made.toSorted());
  expect(added.filter((name) => name.startsWith('m')).toSorted()).toEqual(made.toSorted());
}, 60_000);

test('a terminating namespace stays visible until it is gone', async () => {
  const [name] = namespaces;
  cache.add(Namespace);
  await start();
  await client.patch(Namespace, { name }, { metadata: { finalizers: ['example.com/hold'] } });
  await client.delete(Namespace, { name });
  expect(cache.get(Namespace, { name })?.metadata.deletionTimestamp).toBeDefined();
  await client.patch(Namespace, { name }, { metadata: { finalizers: null } });
  const isThere = (await new Client(transport).get(Namespace, { name })) !== undefined;
  await waitFor(() => (cache.get(Namespace, { name }) !== undefined) === isThere);
});

test('a kind can appear, disappear and come back while the cache runs', async () => {
  const [one] = namespaces;
  // Backs off and polls ten times as fast.
  cache = makeCache({
    ...systemClock,
    now: () => systemClock.now() * 10,
    setTimeout: (callback, milliseconds) => systemClock.setTimeout(callback, milliseconds / 10),
  });
  cache.add(Late, { optional: true });
  const log: string[] = [];
  cache.informer(Late).addHandler({
    added: ({ metadata }) => log.push(`added ${metadata.name}`),
    updated() {},
    deleted: ({ metadata }) => log.push(`deleted ${metadata.name}`),
  });
  await start();
  expect([cache.list(Late), cache.get(Late, { name: 'a', namespace: one }), cache.problems()]).toEqual([
    [],
    undefined,
    [],
  ]);
  const itsNames = { kind: 'Late', plural: 'lates', singular: 'late', listKind: 'LateList' };
  const schema = { openAPIV3Schema: { type: 'object' } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'lates.late.example.com' },
    spec: {
      group: 'late.example.com',
      names: itsNames,
      scope: 'Namespaced',
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
  const create = (name: string): Promise<boolean> =>
    client
      .create(Late, { apiVersion: 'late.example.com/v1', kind: 'Late', metadata: { name, namespace: one } })
      .then(
        () => true,
        () => false,
      );
  await client.create(CustomResourceDefinition, definition);
  await waitFor(() => create('a'), { timeout: '30s' });
  await waitFor(() => log.length === 1, { timeout: '30s' });
  await client.delete(CustomResourceDefinition, { name: 'lates.late.example.com' });
  await waitFor(() => log.length === 2, { timeout: '30s' });
  expect(cache.list(Late)).toEqual([]);
  await waitFor(
    () =>
      client.create(CustomResourceDefinition, definition).then(
        () => true,
        () => false,
      ),
    { timeout: '30s' },
  );
  await waitFor(() => create('b'), { timeout: '30s' });
  await waitFor(() => log.length === 3, { timeout: '30s' });
  expect(log).toEqual(['added a', 'deleted a', 'added b']);
  expect(names(cache.list(Late))).toEqual(['b']);
}, 120_000);
