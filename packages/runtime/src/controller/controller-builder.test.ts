import { type KubernetesObject, type OwnerReference, defineKind } from 'ots-kubernetes';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { MemoryApi } from '../../test/memory-api.ts';
import { Thing, thing, thingPath } from '../../test/thing.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Manager } from '../manager/manager.ts';
import { ControllerBuilder } from './controller-builder.ts';
import { generationChanged } from './generation-changed.ts';

interface Part extends KubernetesObject {
  apiVersion: 'v1';
  kind: 'Part';
}

const Part = defineKind<Part>({ apiVersion: 'v1', kind: 'Part', plural: 'parts', scope: 'Namespaced' });
const Cluster = defineKind({
  apiVersion: 'example.com/v1',
  kind: 'Cluster',
  plural: 'clusters',
  scope: 'Cluster',
});

const disposables: AsyncDisposable[] = [];

afterEach(async () => {
  for (const disposable of disposables.splice(0).toReversed()) await disposable[Symbol.asyncDispose]();
});

async function setUp(): Promise<{ api: MemoryApi; manager: Manager }> {
  const api = await MemoryApi.start();
  const logger = createLogger({ level: 'silent' });
  const manager = await Manager.create({ connection: api.connection, logger });
  disposables.push(api, manager);
  return { api, manager };
}

async function start(manager: Manager): Promise<void> {
  manager.start().catch(() => {});
  await manager.ready;
}

function part(
  name: string,
  labels: Record<string, string>,
  ...ownerReferences: Partial<OwnerReference>[]
): Part {
  const metadata = {
    name,
    namespace: 'default',
    labels,
    ownerReferences: ownerReferences as OwnerReference[],
  };
  return { apiVersion: 'v1', kind: 'Part', metadata };
}

const partPath = (name: string): string => `/api/v1/namespaces/default/parts/${name}`;

describe('owns', () => {
  test.each([
    [
      'the controller of its kind',
      [{ apiVersion: 'example.com/v1', kind: 'Thing', name: 'a', controller: true }],
      'default/a',
    ],
    [
      'the kind in another version',
      [{ apiVersion: 'example.com/v2', kind: 'Thing', name: 'a', controller: true }],
      'default/a',
    ],
    [
      'an owner that does not control it',
      [{ apiVersion: 'example.com/v1', kind: 'Thing', name: 'a' }],
      undefined,
    ],
    [
      'a kind of that name in another group',
      [{ apiVersion: 'v1', kind: 'Thing', name: 'a', controller: true }],
      undefined,
    ],
    [
      'one of several',
      [
        { apiVersion: 'v1', kind: 'Pod', name: 'p' },
        { apiVersion: 'example.com/v1', kind: 'Thing', name: 'a', controller: true },
      ],
      'default/a',
    ],
  ])('an object that is owned by %s', async (_, owners, expected) => {
    const { api, manager } = await setUp();
    const seen: string[] = [];
    new ControllerBuilder(manager)
      .for(Thing)
      .owns(Part)
      .complete(async ({ namespace, name }) => void seen.push(`${namespace}/${name}`));
    await start(manager);
    api.put(partPath('x'), part('x', {}, ...owners));
    api.put(
      partPath('last'),
      part('last', {}, { apiVersion: 'example.com/v1', kind: 'Thing', name: 'last', controller: true }),
    );
    await eventually(() => seen.includes('default/last'));
    expect(seen).toEqual([...(expected ? [expected] : []), 'default/last']);
  });

  test('an owner without a namespace is named without one', async () => {
    const { api, manager } = await setUp();
    const seen: unknown[] = [];
    new ControllerBuilder(manager)
      .for(Cluster)
      .owns(Part)
      .complete(async (request) => void seen.push(request));
    await start(manager);
    api.put(
      partPath('x'),
      part('x', {}, { apiVersion: 'example.com/v1', kind: 'Cluster', name: 'c', controller: true }),
    );
    await eventually(() => seen.length === 1);
    expect(seen).toEqual([{ name: 'c' }]);
  });
});

describe('watches', () => {
  test('maps the old and the new state of an object, also asynchronously', async () => {
    const { api, manager } = await setUp();
    const seen: string[] = [];
    new ControllerBuilder(manager)
      .named('parts')
      .watches(Part, async ({ metadata }) => [
        { name: metadata.labels?.['thing'] ?? '', namespace: 'default' },
      ])
      .complete(async ({ name }) => void seen.push(name));
    api.put(partPath('x'), part('x', { thing: 'old' }));
    await start(manager);
    await eventually(() => seen.length === 1);
    api.put(partPath('x'), part('x', { thing: 'new' }));
    await eventually(() => seen.length === 3);
    expect(seen).toEqual(['old', 'old', 'new']);
  });

  test('a mapping that fails is contained', async () => {
    const { api, manager } = await setUp();
    const seen: string[] = [];
    new ControllerBuilder(manager)
      .named('parts')
      .watches(Part, ({ metadata }) => {
        if (metadata.name === 'bad') throw new Error('sync');
        if (metadata.name === 'worse') return Promise.reject(new Error('async'));
        return [{ name: metadata.name! }];
      })
      .complete(async ({ name }) => void seen.push(name));
    for (const name of ['bad', 'good', 'worse']) api.put(partPath(name), part(name, {}));
    await start(manager);
    await eventually(() => seen.length === 1);
    expect(seen).toEqual(['good']);
  });
});

function at(generation: number, labels: Record<string, string>): Thing {
  const object = thing('a');
  return { ...object, metadata: { ...object.metadata, generation, labels } };
}

describe('predicates', () => {
  test('generationChanged passes what changes the wish, and every creation and deletion', async () => {
    const { api, manager } = await setUp();
    const seen: number[] = [];
    new ControllerBuilder(manager)
      .for(Thing, { predicates: [generationChanged()] })
      .complete(
        async (request) => void seen.push(manager.cache.get(Thing, request)?.metadata.generation ?? 0),
      );
    api.put(thingPath('a'), at(1, {}));
    await start(manager);
    await eventually(() => seen.length === 1);
    api.put(thingPath('a'), at(1, { only: 'a label' }));
    api.put(thingPath('a'), at(2, { only: 'a label' }));
    await eventually(() => seen.length === 2);
    api.delete(thingPath('a'));
    await eventually(() => seen.length === 3);
    expect(seen).toEqual([1, 2, 0]);
  });

  test('one update makes one run, although the old and the new state are mapped', async () => {
    const { api, manager } = await setUp();
    const seen: number[] = [];
    new ControllerBuilder(manager)
      .for(Thing)
      .complete(async (request) => void seen.push(manager.cache.get(Thing, request)?.spec.size ?? 0));
    await start(manager);
    for (const size of [1, 2, 3]) {
      api.put(thingPath('a'), thing('a', size));
      await eventually(() => seen.includes(size));
    }
    expect(seen).toEqual([1, 2, 3]);
  });
});

const nothing = async (): Promise<void> => {};

describe('mistakes', () => {
  test.each([
    [
      'for twice',
      (manager: Manager) => new ControllerBuilder(manager).for(Thing).for(Part).complete(nothing),
      'twice',
    ],
    [
      'owns without for',
      (manager: Manager) => new ControllerBuilder(manager).named('x').owns(Part).complete(nothing),
      'without for',
    ],
    [
      'nothing to watch',
      (manager: Manager) => new ControllerBuilder(manager).named('x').complete(nothing),
      'watches nothing',
    ],
    [
      'no name',
      (manager: Manager) => new ControllerBuilder(manager).watches(Part, () => []).complete(nothing),
      'no name',
    ],
    [
      'no workers',
      (manager: Manager) => new ControllerBuilder(manager).withOptions({ maxConcurrentReconciles: 0 }),
      'maxConcurrent',
    ],
  ])('%s is an error that says so', async (_, build, message) => {
    const { manager } = await setUp();
    expect(() => build(manager)).toThrow(message);
  });

  test('two controllers of one name are an error; with other names they share what they watch', async () => {
    const { api, manager } = await setUp();
    new ControllerBuilder(manager).for(Thing).complete(nothing);
    expect(() => new ControllerBuilder(manager).for(Thing).complete(nothing)).toThrow(
      'two controllers are named thing',
    );
    new ControllerBuilder(manager).for(Thing).named('other').complete(nothing);
    await start(manager);
    expect(api.server.exchanges.filter(({ query }) => !query.has('watch'))).toHaveLength(1);
  });
});
