import { type KubernetesObject, type OwnerReference, defineKind } from 'ots-kubernetes';
import { afterEach, describe, expect, test } from 'vitest';
import { gate } from '../../test/controller-fixture.ts';
import { eventually } from '../../test/eventually.ts';
import { MemoryApi } from '../../test/memory-api.ts';
import { Thing, thing, thingPath } from '../../test/thing.ts';
import { settled } from '../../test/virtual-clock.ts';
import { KindNotCachedError } from '../cache/cache-errors.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Manager } from '../manager/manager.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { metadataOf } from '../objects/metadata-of.ts';
import { itemFastSlowRateLimiter } from '../queue/item-fast-slow-rate-limiter.ts';
import { Channel } from './channel.ts';
import { ControllerBuilder } from './controller-builder.ts';
import { generationChanged } from './predicates.ts';

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

const controlledBy = (kind: string, name: string): Partial<OwnerReference> => ({
  apiVersion: 'example.com/v1',
  kind,
  name,
  controller: true,
});

describe('owns', () => {
  test('reconciles the owner that controls an object, or every owner', async () => {
    const { api, manager } = await setUp();
    const seen: string[] = [];
    new ControllerBuilder(manager)
      .owns(Part, { matchEveryOwner: true })
      .for(Thing)
      .named('every')
      .complete(async ({ namespace, name }) => void seen.push(`every ${namespace}/${name}`));
    new ControllerBuilder(manager)
      .for(Thing)
      .owns(Part)
      .complete(async ({ namespace, name }) => void seen.push(`${namespace}/${name}`));
    await start(manager);
    api.put(
      partPath('x'),
      part('x', {}, { ...controlledBy('Thing', 'b'), controller: false }, controlledBy('Thing', 'a')),
    );
    await eventually(() => seen.length === 3);
    expect(seen.toSorted()).toEqual(['default/a', 'every default/a', 'every default/b']);
  });

  test('the request of a cluster-scoped owner has no namespace', async () => {
    const { api, manager } = await setUp();
    const seen: unknown[] = [];
    new ControllerBuilder(manager)
      .for(Cluster)
      .owns(Part)
      .complete(async (request) => void seen.push(request));
    await start(manager);
    api.put(partPath('x'), part('x', {}, controlledBy('Cluster', 'c')));
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

  test('a failing map function is contained', async () => {
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

test('controllers of metadata share it, whether the kind is reconciled, owned or watched', async () => {
  const { api, manager } = await setUp();
  const seen: string[] = [];
  new ControllerBuilder(manager)
    .for(metadataOf(Thing))
    .owns(metadataOf(Part))
    .complete(async ({ name }) => void seen.push(name));
  new ControllerBuilder(manager)
    .for(metadataOf(Part))
    .watchesMetadata(Thing, ({ metadata }) => [{ name: `of-${metadata.name}` }])
    .complete(async ({ name }) => void seen.push(`part ${name}`));
  api.put(thingPath('a'), thing('a'));
  api.put(partPath('x'), part('x', {}, controlledBy('Thing', 'b')));
  await start(manager);
  await eventually(() => seen.length === 4);
  expect(seen.toSorted()).toEqual(['a', 'b', 'part of-a', 'part x']);
  const lists = api.server.exchanges.filter(({ query }) => !query.has('watch'));
  expect(lists.map(({ path }) => path).toSorted()).toEqual(['/api/v1/parts', '/apis/example.com/v1/things']);
  for (const { headers } of lists) expect(headers.accept).toContain('as=PartialObjectMetadataList');
});

function at(generation: number, labels: Record<string, string>): Thing {
  const object = thing('a');
  return { ...object, metadata: { ...object.metadata, generation, labels } };
}

describe('predicates', () => {
  test('generationChanged passes spec changes, and every creation and deletion', async () => {
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

  test('one update causes one reconcile, although the old and the new state are mapped', async () => {
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

describe('event filters', () => {
  const ofName = (name: string) => ({
    create: (object: DeepReadonly<KubernetesObject>) => object.metadata.name === name,
  });

  test('apply to every kind in addition to its own predicates, in any order of calls, and not to other sources', async () => {
    const { api, manager } = await setUp();
    const seen: string[] = [];
    const channel = new Channel();
    channel.push({ name: 'pushed' });
    new ControllerBuilder(manager)
      .for(Thing, { predicates: [ofName('passes'), ofName('passes')] })
      .withEventFilter(ofName('passes'))
      .watches(Part, ({ metadata }) => [{ name: `part-${metadata.name}` }])
      .watchesSource(channel)
      .complete(async ({ name }) => void seen.push(name));
    api.put(thingPath('stopped'), thing('stopped'));
    api.put(thingPath('passes'), thing('passes'));
    api.put(partPath('stopped'), part('stopped', {}));
    api.put(partPath('passes'), part('passes', {}));
    await start(manager);
    await eventually(() => seen.length === 3);
    await settled();
    expect(seen.toSorted()).toEqual(['part-passes', 'passes', 'pushed']);
  });

  test('predicates are for their own kind only', async () => {
    const { api, manager } = await setUp();
    const seen: string[] = [];
    new ControllerBuilder(manager)
      .for(Thing, { predicates: [ofName('none')] })
      .watches(Part, ({ metadata }) => [{ name: metadata.name! }])
      .complete(async ({ name }) => void seen.push(name));
    api.put(thingPath('a'), thing('a'));
    api.put(partPath('b'), part('b', {}));
    await start(manager);
    await eventually(() => seen.length === 1);
    expect(seen).toEqual(['b']);
  });
});

test('options can be set in several calls and in any order', async () => {
  const { manager } = await setUp();
  const { open, names, reconcile } = gate();
  // An hour: what has failed is not to be run again here.
  const rateLimiter = itemFastSlowRateLimiter({ fast: '1h', slow: '1h', attempts: 1 });
  const channel = new Channel();
  const controller = new ControllerBuilder(manager)
    .withOptions({ needsLeaderElection: false, maxConcurrentReconciles: 3, rateLimiter })
    .named('x')
    .withOptions({ maxConcurrentReconciles: 2 })
    .watchesSource(channel)
    .complete(async (request, context) => {
      await reconcile(request, context);
      throw new Error('no');
    });
  expect([controller.name, controller.needsLeaderElection]).toEqual(['x', false]);
  for (const name of ['a', 'b', 'c']) channel.push({ name });
  await start(manager);
  await eventually(() => open.length === 2);
  await settled();
  expect(names()).toEqual(['a', 'b']);
  open[0]!.finish();
  await eventually(() => names().includes('c'));
  expect(rateLimiter.failures('a')).toBe(1);
  for (const run of open.slice()) run.finish();
});

test('a builder that is not completed, or cannot be, declares and reserves nothing', async () => {
  const { manager } = await setUp();
  new ControllerBuilder(manager).for(Thing);
  expect(() => new ControllerBuilder(manager).named('thing').owns(Part).complete(nothing)).toThrow(
    'without for',
  );
  expect(() => manager.cache.list(Thing)).toThrow(KindNotCachedError);
  expect(() => manager.cache.list(Part)).toThrow(KindNotCachedError);
  new ControllerBuilder(manager).for(Thing).complete(nothing);
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
      'pausedBy without for',
      (manager: Manager) =>
        new ControllerBuilder(manager).named('x').pausedBy('example.com/paused').complete(nothing),
      'pausedBy was called without for',
    ],
    [
      'pausedBy twice',
      (manager: Manager) => new ControllerBuilder(manager).for(Thing).pausedBy('a').pausedBy('b'),
      'twice',
    ],
    [
      'pausedBy without a name of an annotation',
      (manager: Manager) => new ControllerBuilder(manager).for(Thing).pausedBy('not a name'),
      '"not a name" is not the name of an annotation',
    ],
    [
      'references without for',
      (manager: Manager) =>
        new ControllerBuilder(manager)
          .named('x')
          .references(Part, () => 'a')
          .complete(nothing),
      'references was called without for',
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

  test('two controllers with the same name are an error; with different names they share informers', async () => {
    const { api, manager } = await setUp();
    new ControllerBuilder(manager).for(Thing).complete(nothing);
    expect(() => new ControllerBuilder(manager).for(Thing).complete(nothing)).toThrow(
      'Two controllers are named thing',
    );
    const other = new ControllerBuilder(manager).for(Thing).named('other');
    other.complete(nothing);
    expect(() => other.complete(nothing)).toThrow('Two controllers are named other');
    await start(manager);
    expect(api.server.exchanges.filter(({ query }) => !query.has('watch'))).toHaveLength(1);
    const { manager: second } = await setUp();
    new ControllerBuilder(second).for(Thing).complete(nothing);
  });
});
