import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { KubernetesObject } from 'ots-kubernetes';
import { Job } from 'ots-kubernetes/batch/v1';
import { ConfigMap, Namespace, Secret } from 'ots-kubernetes/core/v1';
import { beforeEach, describe, expect, test } from 'vitest';
import { apiServerFixture } from '../../test/api-server-fixture.ts';
import { App, Fleet, ownerCrds } from '../../test/owners.ts';
import { refusal } from '../../test/refusal.ts';
import { isConflict } from '../errors/api-error.ts';
import type { Client } from '../client/client.ts';
import { createLogger } from '../logging/create-logger.ts';
import type { Manager } from '../manager/manager.ts';
import { controllerReference } from '../objects/owner-references.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { dropFinalizer, ensureFinalizer } from '../finalizers/patch-finalizer.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { waitForObject } from '../waiting/wait-for-object.ts';
import { Children, type ChildrenSource } from './children.ts';
import { compositeController } from './composite-controller.ts';
import type { CompositeOptions, SyncResult } from './composite-options.ts';
import { desiredChild } from './desired-child.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

const server = apiServerFixture(ownerCrds);
let client: Client;
let namespace: string;

beforeEach(async () => {
  ({ client } = server);
  namespace = await server.createNamespace();
});

const key = (name: string): { name: string; namespace: string } => ({ name, namespace });

function app(...parts: string[]): App {
  return { apiVersion: 'example.com/v1', kind: 'App', metadata: key('app'), spec: { parts, text: 'first' } };
}

/** One ConfigMap for each part, and how many there are as status. */
const parts = {
  parent: App,
  children: [ConfigMap],
  sync: (parent, observed) => ({
    children: (parent.spec.parts ?? []).map((part) => configMap(parent, part)),
    status: { parts: observed.of(ConfigMap).length },
  }),
} satisfies CompositeOptions<App, [ConfigMap]>;

function configMap(parent: DeepReadonly<App>, name: string) {
  const data = { text: parent.spec.text ?? '' };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { part: name } }, data } as const;
}

/** Collects what is logged as an error. */
const logged: string[] = [];

async function started(add: (manager: Manager) => unknown): Promise<Manager> {
  const manager = await server.createManager(namespace, {
    logger: createLogger({ level: 'error', stream: { write: (text) => logged.push(text) } }),
  });
  add(manager);
  void manager.start();
  await manager.ready;
  return manager;
}

async function configMaps(): Promise<readonly DeepReadonly<ConfigMap>[]> {
  const { items } = await client.list(ConfigMap, { namespace, labelSelector: 'part' });
  return items;
}

async function names(): Promise<string> {
  return (await configMaps()).map(({ metadata }) => metadata.name).join();
}

async function become(wanted: string): Promise<void> {
  await waitFor(async () => (await names()) === wanted, { message: `ConfigMaps ${wanted}` });
}

describe('a composite controller', () => {
  test('creates the children and reports the status', async () => {
    const parent = await client.create(App, app('a', 'b'));
    const manager = await started((each) => compositeController(each, parts));
    await become('a,b');
    const [first] = await configMaps();
    expect(first).toMatchObject({
      data: { text: 'first' },
      metadata: {
        labels: { part: 'a', 'runtime.ots/controller': 'app' },
        ownerReferences: [controllerReference(parent)],
      },
    });
    const isCounted = (now: DeepReadonly<App> | undefined): boolean => now?.status?.parts === 2;
    const reported = await waitForObject(client, App, key('app'), isCounted);
    await waitForObject(manager.cache, App, key('app'), isCounted);
    expect(reported!.status).toEqual({ parts: 2, observedGeneration: parent.metadata.generation });
  });

  test('a status replaces what the controller reported before, and nothing that others report', async () => {
    await client.create(App, app());
    await started((manager) =>
      compositeController(manager, {
        parent: App,
        children: [],
        sync: ({ spec }) => ({ children: [], status: spec.text === 'first' ? { parts: 7 } : {} }),
      }),
    );
    await waitFor(async () => (await client.get(App, key('app')))?.status?.parts === 7);
    const upgrade = { revision: '1', phase: 'Complete', steps: [] } as const;
    await client.status.patch(App, key('app'), { status: { upgrade } });
    await client.patch(App, key('app'), { spec: { text: 'second' } });
    await waitFor(async () => (await client.get(App, key('app')))?.status?.observedGeneration === 2);
    expect((await client.get(App, key('app')))!.status).toEqual({ upgrade, observedGeneration: 2 });
  });

  test('recreates deleted children, repairs drift, and prunes unwanted children', async () => {
    await client.create(App, app('a', 'b'));
    await started((manager) => compositeController(manager, parts));
    await become('a,b');
    const { uid } = (await client.get(ConfigMap, key('a')))!.metadata;
    await client.delete(ConfigMap, key('a'));
    await waitFor(
      async () => ![undefined, uid].includes((await client.get(ConfigMap, key('a')))?.metadata.uid),
    );
    await client.patch(ConfigMap, key('b'), { data: { text: 'by hand', other: 'stays' } });
    await waitFor(async () => (await client.get(ConfigMap, key('b')))?.data?.['text'] === 'first');
    expect((await client.get(ConfigMap, key('b')))!.data).toEqual({ text: 'first', other: 'stays' });
    await client.patch(App, key('app'), { spec: { parts: ['b', 'c'], text: 'second' } });
    await become('b,c');
    await waitFor(async () => (await configMaps()).every(({ data }) => data?.['text'] === 'second'));
  });

  test('sends nothing when nothing changes', async () => {
    const written: string[] = [];
    const record = (message: unknown): void => {
      const { method, path } = (message as { request: { method: string; path: string } }).request;
      if (method !== 'GET' && path.includes(namespace)) written.push(`${method} ${path.replace(/\?.*/, '')}`);
    };
    await client.create(App, app('a', 'b'));
    let runs = 0;
    const sync: typeof parts.sync = (parent, observed) => {
      runs += 1;
      return parts.sync(parent, observed);
    };
    await started((manager) => compositeController(manager, { ...parts, sync }));
    await waitFor(async () => (await client.get(App, key('app')))?.status?.parts === 2);
    subscribe('undici:request:create', record);
    const before = runs;
    await client.patch(App, key('app'), { metadata: { annotations: { poke: '1' } } });
    await waitFor(() => runs > before);
    await client.patch(App, key('app'), { metadata: { annotations: { poke: '2' } } });
    await waitFor(() => runs > before + 1);
    unsubscribe('undici:request:create', record);
    const poke = `PATCH /apis/example.com/v1/namespaces/${namespace}/apps/app`;
    expect(written).toEqual([poke, poke]);
  });

  test.each([
    ['without a controller', false],
    ['of another controller', true],
  ])('an object %s keeps its name, and the other children are created', async (_, controlled) => {
    const other = await client.create(App, { ...app(), metadata: key('other') });
    const ownerReferences = controlled ? [controllerReference(other)] : [];
    const mine = await client.create(ConfigMap, {
      ...configMap(app(), 'b'),
      metadata: { ...key('b'), labels: { part: 'b' }, ownerReferences },
      data: { text: 'first' },
    });
    await client.create(App, app('a', 'b', 'c'));
    logged.length = 0;
    await started((manager) => compositeController(manager, parts));
    await become('a,b,c');
    await waitFor(() => logged.some((line) => line.includes(`The ConfigMap ${namespace}/b`)));
    await waitFor(async () => (await client.get(App, key('app')))?.status?.parts === 2);
    await client.patch(App, key('app'), { spec: { parts: ['b', 'c'] } });
    await become('b,c');
    expect(await client.get(ConfigMap, key('b'))).toEqual(mine);
  });

  test('an object that replaced a child is not changed before the cache knows about it', async () => {
    const parent = await client.create(App, app());
    let cached: DeepReadonly<KubernetesObject> | undefined;
    const behind = { get: async () => cached, apply: client.apply.bind(client) };
    const cache = { addIndex: () => {} };
    const source = { client: behind, apiReader: client, cache } as unknown as ChildrenSource;
    const children = new Children(source, { name: 'app', owner: App, kinds: [ConfigMap] });
    const apply = (text: string) =>
      children.apply(
        parent,
        { kind: ConfigMap },
        desiredChild(ConfigMap, { metadata: { name: 'a' }, data: { text } }),
      );
    cached = await apply('first');
    await client.delete(ConfigMap, key('a'));
    const mine = await client.create(ConfigMap, { ...configMap(parent, 'a'), metadata: key('a') });
    expect(await apply('second')).toBeUndefined();
    expect(await client.get(ConfigMap, key('a'))).toEqual(mine);
    await client.delete(ConfigMap, key('a'));
    expect(isConflict(await refusal(apply('second')))).toBe(true);
    cached = undefined;
    expect(await apply('second')).toMatchObject({ data: { text: 'second' } });
  });

  test('two controllers of one parent do not touch each other’s children', async () => {
    await client.create(App, app('a'));
    const other = (name: string): CompositeOptions<App, [ConfigMap]> => ({
      ...parts,
      name,
      sync: (parent) => ({
        children: (parent.spec.parts ?? []).map((part) => configMap(parent, `${part}-${name}`)),
      }),
    });
    await started((manager) => {
      compositeController(manager, other('one'));
      compositeController(manager, other('two'));
    });
    await become('a-one,a-two');
    await client.patch(App, key('app'), { spec: { parts: ['b'] } });
    await become('b-one,b-two');
    const labels = (await configMaps()).map(({ metadata }) => metadata.labels?.['runtime.ots/controller']);
    expect(labels).toEqual(['one', 'two']);
  });

  test('a cluster-scoped owner has children in several namespaces', async () => {
    const fleet = { apiVersion: 'example.com/v1', kind: 'Fleet' } as const;
    await client.create(Fleet, {
      ...fleet,
      metadata: { name: namespace },
      spec: { namespaces: [namespace] },
    });
    await started((manager) =>
      compositeController(manager, {
        parent: Fleet,
        children: [ConfigMap],
        sync: (parent) => ({
          children: (parent.spec.namespaces ?? []).map((each) => ({
            apiVersion: 'v1',
            kind: 'ConfigMap',
            metadata: { name: 'fleet', namespace: each, labels: { part: 'fleet' } },
          })),
        }),
      }),
    );
    await become('fleet');
    const { uid } = (await client.get(ConfigMap, key('fleet')))!.metadata;
    await client.delete(ConfigMap, key('fleet'));
    const anew = await waitFor(() => client.get(ConfigMap, key('fleet')));
    expect(anew.metadata.uid).not.toBe(uid);
    await client.patch(Fleet, { name: namespace }, { spec: { namespaces: [] } });
    await become('');
  });
});

describe('update strategies', () => {
  const job = (image: string) =>
    ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'job' },
      spec: {
        template: { spec: { restartPolicy: 'Never', containers: [{ name: 'main', image }] } },
      },
    }) as const;

  test('Recreate replaces an immutable object, but not if the server would refuse the new one', async () => {
    await client.create(App, app());
    await started((manager) =>
      compositeController(manager, {
        parent: App,
        children: [{ kind: Job, updateStrategy: 'Recreate' }],
        sync: (parent) => ({ children: [job(parent.spec.text ?? '')] }),
      }),
    );
    const created = await waitFor(() => client.get(Job, key('job')));
    logged.length = 0;
    await client.patch(App, key('app'), { spec: { text: null } });
    await waitFor(() => logged.some((line) => line.includes('image')));
    expect((await client.get(Job, key('job')))!.metadata).toMatchObject({ uid: created.metadata.uid });
    expect((await client.get(Job, key('job')))!.metadata.deletionTimestamp).toBeUndefined();
    await client.patch(App, key('app'), { spec: { text: 'second' } });
    await waitFor(async () => {
      const now = await client.get(Job, key('job'));
      // Only a cluster's garbage collector removes the finalizers of the deletion.
      return now && now.metadata.uid !== created.metadata.uid && now;
    });
    const now = (await client.get(Job, key('job')))!;
    expect(now.spec?.template.spec?.containers[0]?.image).toBe('second');
  });

  test('Recreate does not change an object in the desired state', async () => {
    await client.create(App, app('a'));
    let runs = 0;
    await started((manager) =>
      compositeController(manager, {
        parent: App,
        children: [{ kind: ConfigMap, updateStrategy: 'Recreate' }],
        sync: (parent) => {
          runs += 1;
          return { children: [configMap(parent, 'a')] };
        },
      }),
    );
    const created = await waitFor(() => client.get(ConfigMap, key('a')));
    const before = runs;
    await client.patch(App, key('app'), { metadata: { annotations: { poke: '1' } } });
    await waitFor(() => runs > before);
    await client.patch(App, key('app'), { spec: { text: 'second' } });
    const now = await waitFor(async () => {
      const object = await client.get(ConfigMap, key('a'));
      return object?.data?.['text'] === 'second' && object;
    });
    expect(now.metadata.uid).not.toBe(created.metadata.uid);
  });

  test('OnDelete waits until another client deletes the object', async () => {
    await client.create(App, app('a'));
    let seen = '';
    await started((manager) =>
      compositeController(manager, {
        parent: App,
        children: [{ kind: ConfigMap, updateStrategy: 'OnDelete' }],
        sync: (parent, observed) => {
          const had = observed.get(ConfigMap, 'a')?.data?.['text'] ?? 'none';
          seen = `${parent.spec.text} ${had}`;
          return { children: [configMap(parent, 'a')] };
        },
      }),
    );
    await waitFor(() => seen === 'first first');
    await client.patch(App, key('app'), { spec: { text: 'second' } });
    await waitFor(() => seen === 'second first');
    await client.patch(App, key('app'), { metadata: { annotations: { poke: '1' } } });
    expect((await client.get(ConfigMap, key('a')))!.data).toEqual({ text: 'first' });
    await client.delete(ConfigMap, key('a'));
    await waitFor(async () => (await client.get(ConfigMap, key('a')))?.data?.['text'] === 'second');
  });
});

describe('finalize', () => {
  test('keeps the parent until it returns finalized', async () => {
    await client.create(App, app('a', 'b'));
    let mayGo = false;
    const shrinking: CompositeOptions<App, [ConfigMap]> = {
      ...parts,
      finalize: (parent, observed): SyncResult<App, ConfigMap> & { finalized: boolean } => ({
        ...parts.sync(parent, observed),
        children: mayGo ? [] : [configMap(parent, 'a')],
        finalized: mayGo && observed.of(ConfigMap).length === 0,
      }),
    };
    await started((manager) => compositeController(manager, shrinking));
    await become('a,b');
    expect((await client.get(App, key('app')))!.metadata.finalizers).toEqual(['runtime.ots/app']);
    await client.delete(App, key('app'));
    await become('a');
    expect(await client.get(App, key('app'))).toBeDefined();
    mayGo = true;
    await client.patch(App, key('app'), { metadata: { annotations: { poke: '1' } } });
    await waitFor(async () => (await client.get(App, key('app'))) === undefined);
    expect(await names()).toBe('');
  });

  test('of an earlier version leaves no finalizer behind', async () => {
    const parent = await client.create(App, app());
    await ensureFinalizer(client, App, parent, 'runtime.ots/app');
    const held = await ensureFinalizer(client, App, parent, 'example.com/other');
    await client.delete(App, key('app'));
    await started((manager) => compositeController(manager, parts));
    await waitFor(async () => (await client.get(App, key('app')))!.metadata.finalizers?.length === 1);
    expect((await client.get(App, key('app')))!.metadata.finalizers).toEqual(['example.com/other']);
    await dropFinalizer(client, App, held, 'example.com/other');
  });
});

describe('is refused', () => {
  const define = async (options: Partial<CompositeOptions<App, never[]>>): Promise<unknown> => {
    const manager = await server.createManager(namespace);
    return compositeController(manager, { ...parts, ...options } as typeof parts);
  };

  test.each<[string, Partial<CompositeOptions<App, never[]>>, string]>([
    ['a child in no namespace', { children: [Namespace] as never }, 'App cannot own Namespace'],
    ['a name that is not a label', { name: 'My App' }, '"My App" cannot name a controller of children'],
  ])('%s', async (_, options, message) => {
    await expect(define(options)).rejects.toThrow(message);
  });

  test.each<[string, object[], string]>([
    [
      'a child of a kind that is not declared',
      [{ ...Secret, metadata: { name: 'a' } }],
      'is not among the children',
    ],
    [
      'a child in another namespace',
      [{ ...configMap(app(), 'a'), metadata: { name: 'a', namespace: 'default' } }],
      'is not in the namespace of its owner',
    ],
    ['a child that is desired twice', [configMap(app(), 'a'), configMap(app(), 'a')], 'is desired twice'],
  ])('%s', async (_, children, message) => {
    await client.create(App, app());
    logged.length = 0;
    await started((manager) =>
      compositeController(manager, { ...parts, sync: () => ({ children: children as never[] }) }),
    );
    await waitFor(() => logged.some((line) => line.includes(message)));
    expect(await names()).toBe('');
  });
});
