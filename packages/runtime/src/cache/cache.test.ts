import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { type Exchange, ScriptedServer, json, status } from '../../test/scripted-server.ts';
import { Thing, thing } from '../../test/thing.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { currentWork, runInContext } from '../context/work-context.ts';
import type { Logger } from '../logging/logger.ts';
import { metadataOf } from '../objects/metadata-of.ts';
import { projectionOf } from '../objects/projection-of.ts';
import { Transport } from '../transport/transport.ts';
import { Cache } from './cache.ts';
import { type KubernetesObject, defineKind } from 'ots-kubernetes';

const Secret = defineKind({ apiVersion: 'v1', kind: 'Secret', plural: 'secrets', scope: 'Namespaced' });
const Node = defineKind({ apiVersion: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' });
const a = { name: 'a', namespace: 'default' };

let cleanUp: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.toReversed()) await each();
  cleanUp = [];
});

function version(resourceVersion: number, name = 'a', uid = name): Thing {
  const object = thing(name);
  return { ...object, metadata: { ...object.metadata, uid, resourceVersion: String(resourceVersion) } };
}

/** Answers every list with the thing `a` and leaves watches open. */
function serve({ query, response }: Exchange): void {
  if (query.has('watch')) response.writeHead(200).flushHeaders();
  else json(response, 200, { metadata: { resourceVersion: '10' }, items: [version(1)] });
}

async function setUp(options: { namespaces?: string[]; script?: (exchange: Exchange) => void } = {}) {
  const server = await ScriptedServer.start(options.script ?? serve);
  const clock = new VirtualClock();
  const transport = new Transport({ server: server.url, clock });
  const warnings: string[] = [];
  const infos: [object, string][] = [];
  const logger = {
    debug() {},
    info: (details: object, text: string) => infos.push([details, text]),
    error() {},
    warn: (_: object, text: string) => warnings.push(text),
  } as unknown as Logger;
  const cache = new Cache({ transport, namespaces: options.namespaces, clock, logger });
  const stop = new AbortController();
  cleanUp.push(
    () => server[Symbol.asyncDispose](),
    () => transport.close(),
    () => {
      stop.abort();
      return cache.stopped();
    },
  );
  const paths = (): string[] =>
    server.exchanges.filter(({ query }) => !query.has('watch')).map(({ path }) => path);
  /** The watches that are open. */
  const watches = (): Exchange[] =>
    server.exchanges.filter(({ query, response }) => query.has('watch') && !response.destroyed);
  return { server, clock, cache, stop, warnings, infos, paths, watches };
}

test('a cache that does not sync in two minutes reports which kind is missing, why, and what to do', async () => {
  const { clock, cache, stop } = await setUp({
    script: ({ response }) => json(response, 404, status(404, 'NotFound', 'no things')),
  });
  cache.informer(Thing);
  cache.start(stop.signal);
  const synced = cache.synced(stop.signal).catch((error: unknown) => error);
  await eventually(() => cache.problems()[0]!.includes('not installed'));
  await clock.advance(120_000);
  expect(await synced).toMatchObject({
    code: 'CACHE_NOT_SYNCED',
    // The requests under way may have timed out in the same moment.
    message: expect.stringMatching(
      /^The caches did not sync within 120 s: Thing(?: \(example\.com\/v1\) is not installed|\.example\.com\/v1 is not cached yet \(.+\))$/,
    ),
    hint: expect.stringContaining('CRDs'),
  });
});

test('a start that waits for a cache reports which kind it waits for', async () => {
  const { clock, cache, stop, infos } = await setUp({
    script: ({ response }) => json(response, 404, status(404, 'NotFound', 'no things')),
  });
  cache.informer(Thing);
  cache.start(stop.signal);
  cache.synced(stop.signal).catch(() => {});
  await eventually(() => cache.problems()[0]!.includes('not installed'));
  await clock.advance(10_000);
  const waitingFor = ['Thing (example.com/v1) is not installed'];
  expect(infos).toEqual([
    [{ waitingFor, seconds: 110 }, 'caches not synced yet; startup waits and then fails'],
  ]);
  stop.abort();
});

test('controllers share informers, and a late informer starts at once', async () => {
  const { server, cache, stop } = await setUp();
  cache.start(stop.signal);
  await cache.synced(stop.signal);
  const informer = cache.informer(Thing);
  expect(cache.informer(Thing)).toBe(informer);
  await informer.synced;
  expect(cache.list(Thing)).toHaveLength(1);
  expect(cache.list(Thing, { namespace: 'other' })).toEqual([]);
  expect(server.exchanges.filter(({ query }) => !query.has('watch'))).toHaveLength(1);
});

test('an informer that a reconcile starts does not end with it', async () => {
  const { cache, stop } = await setUp();
  cache.start(stop.signal);
  const run = new AbortController();
  let context: unknown = 'unset';
  const informer = runInContext({ signal: run.signal }, () => cache.informer(Thing));
  run.abort();
  informer.addHandler({
    added: () => {
      context = currentWork()?.signal;
    },
    updated() {},
    deleted() {},
  });
  await informer.synced;
  expect(context).toBeUndefined();
});

describe('strictness', () => {
  test('an undeclared kind is an error that names the three solutions', async () => {
    const { cache } = await setUp();
    expect(() => cache.get(Thing, a)).toThrow(
      expect.objectContaining({
        code: 'KIND_NOT_CACHED',
        hint: expect.stringMatching(/for, owns or watches.*cache\.add.*apiReader/),
      }),
    );
  });

  test('a cached metadata kind does not make the whole object available', async () => {
    const { cache, stop } = await setUp();
    cache.add(metadataOf(Thing));
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    expect(cache.get(metadataOf(Thing), a)?.metadata.uid).toBe('a');
    expect(() => cache.get(Thing, a)).toThrow(expect.objectContaining({ code: 'KIND_NOT_CACHED' }));
  });

  test('neither readers nor the writer can change a shared object', async () => {
    const { cache, stop } = await setUp();
    cache.add(Thing);
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    const change = (object: unknown): unknown => ((object as Thing).spec.size = 7);
    expect(() => change(cache.get(Thing, a))).toThrow(TypeError);
    const answer = version(12);
    cache.wrote(Thing, answer);
    change(answer);
    expect(() => change(cache.list(Thing)[0])).toThrow(TypeError);
    expect(cache.get(Thing, a)).toEqual(version(12));
  });

  test('reading before the cache is synced is an error', async () => {
    const { cache } = await setUp();
    cache.add(Thing);
    expect(() => cache.list(Thing)).toThrow(expect.objectContaining({ code: 'CACHE_NOT_SYNCED' }));
  });

  test('a key without a namespace is an error for a namespaced kind', async () => {
    const { cache, stop } = await setUp();
    cache.add(Thing);
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    expect(() => cache.get(Thing, { name: 'a' })).toThrow('The namespace of the Thing is missing');
  });

  test('the empty namespace stands for all, as on the server', async () => {
    for (const namespaces of [undefined, ['default']]) {
      const { cache, stop } = await setUp(namespaces && { namespaces });
      cache.add(Thing);
      cache.start(stop.signal);
      await cache.synced(stop.signal);
      expect(cache.list(Thing, { namespace: '' })).toHaveLength(1);
    }
  });

  test('a namespace that is not watched is an error, not empty', async () => {
    const { cache, stop } = await setUp({ namespaces: ['default', 'one'] });
    cache.add(Thing);
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    expect(cache.get(Thing, { name: 'b', namespace: 'one' })).toBeUndefined();
    const error = expect.objectContaining({
      code: 'NAMESPACE_NOT_CACHED',
      message: 'Thing is not cached in namespace other, only in default, one',
    });
    expect(() => cache.get(Thing, { name: 'a', namespace: 'other' })).toThrow(error);
    expect(() => cache.list(Thing, { namespace: 'other' })).toThrow(error);
  });
});

describe('the selection of a kind', () => {
  test('is part of every list and watch, once per namespace', async () => {
    const { cache, stop, server, watches } = await setUp({ namespaces: ['of', 'others'] });
    cache.add(Thing, {
      namespaces: ['one', 'two', 'one'],
      labelSelector: { matchLabels: { app: 'web' } },
      fieldSelector: 'metadata.name=a',
    });
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    await eventually(() => watches().length === 2);
    expect(server.exchanges).toHaveLength(4);
    for (const { path, query } of server.exchanges) {
      expect(path).toMatch(/^\/apis\/example\.com\/v1\/namespaces\/(one|two)\/things$/);
      expect([query.get('labelSelector'), query.get('fieldSelector')]).toEqual([
        'app=web',
        'metadata.name=a',
      ]);
    }
  });

  test('of many namespaces causes no warning', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    const { cache, stop, watches } = await setUp();
    cache.add(Thing, { namespaces: Array.from({ length: 20 }, (_, index) => `n${index}`) });
    cache.start(stop.signal);
    await eventually(() => watches().length === 20);
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  test('of a cluster-scoped kind is the same for all namespaces', async () => {
    const { cache, stop, paths } = await setUp({ namespaces: ['one', 'two'] });
    cache.add(Node);
    cache.addIndex(Node, 'name', ({ metadata }) => [metadata.name!]);
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    expect(paths()).toEqual(['/api/v1/nodes']);
    expect(cache.list(Node, { namespace: 'one' })).toHaveLength(1);
    expect(cache.list(Node, { namespace: 'one', index: { name: 'a' } })).toHaveLength(1);
  });

  test('of a metadata kind is requested as metadata', async () => {
    const { cache, stop, server, watches } = await setUp({
      script: ({ query, response }) => {
        if (query.has('watch')) return response.writeHead(200).flushHeaders();
        const { metadata } = version(1);
        const item = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata };
        return json(response, 200, { metadata: { resourceVersion: '10' }, items: [item] });
      },
    });
    cache.add(metadataOf(Thing));
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    await eventually(() => watches().length === 1);
    expect(server.exchanges.map(({ headers }) => headers.accept)).toEqual([
      'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
      'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
    ]);
    expect(cache.get(metadataOf(Thing), a)).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: version(1).metadata,
    });
  });

  test('of one user is accepted by users without a selection, in any order', async () => {
    const { cache, stop, server } = await setUp();
    cache.informer(Thing);
    cache.add(Thing, { labelSelector: 'app=web', optional: true });
    cache.add(Thing, { labelSelector: { matchLabels: { app: 'web' } }, namespaces: ['b', 'a'] });
    cache.add(Thing, { namespaces: ['a', 'b'] });
    cache.add(Thing);
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    expect(server.exchanges[0]!.query.get('labelSelector')).toBe('app=web');
  });

  test.each([
    ['labelSelector', { labelSelector: 'app=db' }],
    ['namespaces', { namespaces: ['c'] }],
    ['transform', { transform: (object: Thing) => object }],
    ['fieldSelector', { fieldSelector: 'metadata.name=b' }],
  ])('by two users that contradict each other in %s is an error', async (option, options) => {
    const { cache } = await setUp();
    cache.add(Thing, {
      labelSelector: 'app=web',
      namespaces: ['a'],
      transform: (object) => object,
      fieldSelector: 'metadata.name=a',
    });
    expect(() => cache.add(Thing, options)).toThrow(`Thing is already cached with a different ${option}`);
  });

  test.each([
    ['none at all', []],
    ['the empty one', ['default', '']],
    ['one that cannot be', ['Default']],
    ['a path', ['default/things']],
  ])('of namespaces is refused at once when they are %s', async (_, namespaces) => {
    const { cache } = await setUp();
    const error = expect.objectContaining({ code: 'USAGE' });
    expect(() => cache.add(Thing, { namespaces })).toThrow(error);
    await expect(setUp({ namespaces })).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('cannot be changed while it runs', async () => {
    const { cache, stop } = await setUp();
    cache.add(Thing);
    cache.start(stop.signal);
    cache.add(Thing, { optional: false, labelSelector: '' });
    expect(() => cache.add(Thing, { labelSelector: 'app=web' })).toThrow('a different labelSelector');
  });

  test('is validated at once', async () => {
    const { cache } = await setUp();
    expect(() => cache.add(Thing, { labelSelector: 'a in' })).toThrow(
      expect.objectContaining({ code: 'SELECTOR_INVALID' }),
    );
    expect(() => cache.add(Thing, { fieldSelector: 'a' })).toThrow(
      expect.objectContaining({ code: 'SELECTOR_INVALID' }),
    );
    expect(() => cache.get(Thing, a)).toThrow(expect.objectContaining({ code: 'KIND_NOT_CACHED' }));
  });
});

describe('a projection', () => {
  const Small = projectionOf(Thing, ['spec.text']);
  const text = (resourceVersion: number, value: string): Thing => {
    const object = version(resourceVersion);
    return { ...object, spec: { size: resourceVersion, text: value }, status: { size: 1 } };
  };
  const serveText = ({ query, response }: Exchange): void => {
    if (!query.has('watch'))
      return json(response, 200, { metadata: { resourceVersion: '10' }, items: [text(1, 'x')] });
    response.writeHead(200).write(`${JSON.stringify({ type: 'MODIFIED', object: text(11, 'y') })}\n`);
  };

  test('is all that the cache keeps of lists, watches and writes, for reads, events, indexes and transforms', async () => {
    const { cache, stop, server } = await setUp({ script: serveText });
    const transformed: unknown[] = [];
    const events: unknown[] = [];
    cache.addIndex(Small, 'text', (object) => [String(object.spec.text), ...Object.keys(object)]);
    cache.add(Small, {
      transform: (object) => {
        transformed.push(object.spec);
        return object;
      },
    });
    cache.informer(Small).addHandler({
      added: (object) => events.push(object),
      updated: (before, object) => events.push(before, object),
      deleted() {},
    });
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    await eventually(() => events.length === 3);
    const small = (resourceVersion: number, value: string): object => ({
      ...version(resourceVersion),
      spec: { text: value },
    });
    expect(events).toEqual([small(1, 'x'), small(1, 'x'), small(11, 'y')]);
    expect(cache.get(Small, a)).toBe(events[2]);
    cache.wrote(Thing, text(12, 'z'));
    expect(cache.get(Small, a)).toEqual(small(12, 'z'));
    expect(cache.list(Small, { index: { text: 'z' } })).toEqual([small(12, 'z')]);
    expect(cache.list(Small, { index: { text: 'status' } })).toEqual([]);
    cache.wrote(Small, text(13, 'w'));
    expect(cache.get(Small, a)).toEqual(small(13, 'w'));
    expect(transformed).toEqual([{ text: 'x' }, { text: 'y' }, { text: 'z' }, { text: 'w' }]);
    expect(server.exchanges[0]!.headers.accept).not.toContain('Partial');
  });

  test('is a separate cache beside other projections and whole objects, and all of them see own writes', async () => {
    const { cache, stop, paths } = await setUp({ script: serveText });
    const Status = projectionOf(Thing, ['status']);
    cache.add(Thing, {
      transform: (object) => {
        object.spec.text = 'transformed';
        object.status!.size = 7;
        return object;
      },
    });
    for (const kind of [Small, Status, metadataOf(Thing)]) cache.add(kind);
    cache.add(projectionOf(Thing, ['spec.text']));
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    expect(paths()).toHaveLength(4);
    cache.wrote(Small, text(12, 'z'));
    const { spec: _, ...identity } = version(12);
    const seen = [Thing, Small, Status, metadataOf(Thing)].map((kind) =>
      cache.get<KubernetesObject>(kind, a),
    );
    expect(seen).toEqual([
      { ...identity, spec: { size: 12, text: 'transformed' }, status: { size: 7 } },
      { ...identity, spec: { text: 'z' } },
      { ...identity, status: { size: 1 } },
      identity,
    ]);
  });

  test('is not read by mistake: other fields, or the whole, are not cached', async () => {
    const { cache, stop } = await setUp({
      script: ({ response }) => json(response, 403, status(403, 'Forbidden')),
    });
    cache.add(Small);
    cache.start(stop.signal);
    expect(() => cache.get(Thing, a)).toThrow('Thing of example.com/v1 is not cached');
    expect(() => cache.get(projectionOf(Thing, ['spec']), a)).toThrow(
      'Thing (spec) of example.com/v1 is not cached',
    );
    expect(cache.problems()).toEqual([
      expect.stringMatching(/^Thing\.example\.com\/v1 \(spec\.text\) is not cached yet/),
    ]);
  });
});

describe('users of a kind', () => {
  test('come and go while the cache runs: the last one ends the watch and drops the objects', async () => {
    const { cache, stop, watches } = await setUp();
    cache.start(stop.signal);
    const first = cache.add(Thing);
    const informer = cache.informer(Thing);
    await informer.synced;
    const handler = informer.addHandler({ added() {}, updated() {}, deleted() {} });
    await eventually(() => watches().length === 1);
    first[Symbol.dispose]();
    first[Symbol.dispose]();
    expect(cache.list(Thing)).toHaveLength(1);
    handler[Symbol.dispose]();
    handler[Symbol.dispose]();
    expect(() => cache.list(Thing)).toThrow(expect.objectContaining({ code: 'KIND_NOT_CACHED' }));
    expect(informer.list()).toEqual([]);
    expect(() => informer.addHandler({ added() {}, updated() {}, deleted() {} })).toThrow('is closed');
    await eventually(() => watches().length === 0);
    expect(cache.problems()).toEqual([]);

    cache.add(Thing, { labelSelector: 'app=web' });
    await cache.informer(Thing).synced;
    expect(cache.list(Thing)).toHaveLength(1);
    await eventually(() => watches().length === 1);
  });

  test('do not wait for a kind that was removed before it synced, or longer than their own limit', async () => {
    const { cache, stop } = await setUp({ script: () => {} });
    cache.start(stop.signal);
    const use = cache.add(Thing);
    const synced = cache.synced(stop.signal);
    const leaving = new AbortController();
    const left = cache.synced(leaving.signal);
    leaving.abort(new Error('over'));
    await expect(left).rejects.toThrow('over');
    use[Symbol.dispose]();
    await expect(synced).resolves.toBeUndefined();
  });

  test('leave nothing behind: no timer, no socket, no listener', async () => {
    const { cache, stop, clock, watches } = await setUp();
    cache.start(stop.signal);
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const use = cache.add(Thing);
        await cache.informer(Thing).synced;
        use[Symbol.dispose]();
      }),
    );
    cache.add(Thing);
    await cache.informer(Thing).synced;
    await eventually(() => watches().length === 1);
    stop.abort();
    await cache.stopped();
    await eventually(() => watches().length === 0);
    expect(clock.delays).toEqual([]);
  });
});

describe('own writes', () => {
  test('are seen at once by readers of the object and of its metadata', async () => {
    const { cache, stop } = await setUp();
    cache.add(Thing);
    cache.add(metadataOf(Thing));
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    const read = (): unknown[] => [
      cache.get(Thing, a)?.metadata.resourceVersion,
      cache.get(metadataOf(Thing), a)?.metadata.resourceVersion,
    ];
    expect(read()).toEqual(['1', '1']);
    cache.wrote(Thing, version(12));
    expect(read()).toEqual(['12', '12']);
    expect(cache.get(metadataOf(Thing), a)).not.toHaveProperty('spec');
    cache.wrote(metadataOf(Thing), version(13));
    expect(read()).toEqual(['12', '13']);
    cache.removed(Thing, a, 'a');
    expect(read()).toEqual([undefined, undefined]);
    cache.wrote(Secret, version(20));
  });

  test('that remove an object hide it from all readers, even if only its metadata was cached', async () => {
    const { cache, stop } = await setUp();
    const Small = projectionOf(Thing, ['spec.text']);
    for (const kind of [Thing, metadataOf(Thing), Small]) cache.add(kind);
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    cache.removed(metadataOf(Thing), a, 'a');
    expect([cache.get(Thing, a), cache.get(Small, a), cache.get(metadataOf(Thing), a)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('appear in each cache in its own form', async () => {
    const { cache, stop } = await setUp();
    cache.add(Thing, {
      transform: (object) => {
        const { annotations: _, ...metadata } = object.metadata;
        object.metadata = metadata;
        return object;
      },
    });
    cache.add(metadataOf(Thing));
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    const written = version(12);
    cache.wrote(Thing, { ...written, metadata: { ...written.metadata, annotations: { a: 'b' } } });
    expect(cache.get(Thing, a)?.metadata.annotations).toBeUndefined();
    expect(cache.get(metadataOf(Thing), a)?.metadata.annotations).toEqual({ a: 'b' });
  });

  test('that leave the selection or the namespaces do not appear', async () => {
    const { cache, stop } = await setUp();
    cache.add(Thing, { namespaces: ['default'], labelSelector: '!hidden', fieldSelector: 'metadata.name=a' });
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    const hidden = version(12);
    hidden.metadata.labels = { hidden: '' };
    cache.wrote(Thing, version(11, 'b'));
    const elsewhere = version(13);
    elsewhere.metadata.namespace = 'other';
    cache.wrote(Thing, elsewhere);
    expect(cache.list(Thing).map(({ metadata }) => metadata.resourceVersion)).toEqual(['1']);
    cache.wrote(Thing, hidden);
    expect(cache.list(Thing)).toEqual([]);
    cache.wrote(Thing, version(14));
    expect(cache.get(Thing, a)?.metadata.resourceVersion).toBe('14');
  });

  test('wait for the watch if only the server can evaluate the selector, or versions are not numbers', async () => {
    const { cache, stop } = await setUp();
    cache.add(Thing, { fieldSelector: 'spec.size=1' });
    cache.add(Node);
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    cache.wrote(Thing, version(12));
    cache.removed(Thing, a, 'a');
    expect(cache.get(Thing, a)?.metadata.resourceVersion).toBe('1');
    const node = (resourceVersion: string) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n', uid: 'n', resourceVersion },
    });
    cache.wrote(Node, node('12'));
    expect(cache.get(Node, { name: 'n', namespace: 'ignored' })?.metadata.resourceVersion).toBe('12');
    cache.wrote(Node, node('x9'));
    cache.wrote(Node, node('13'));
    expect(cache.get(Node, { name: 'n' })).toBeUndefined();
  });
});

describe('indexes', () => {
  test('can be added before the kind, after it, and while it runs', async () => {
    const { cache, stop } = await setUp();
    cache.addIndex(Thing, 'early', ({ metadata }) => [metadata.name!]);
    cache.add(Thing);
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    cache.addIndex(Thing, 'late', ({ spec }) => [String(spec.size)]);
    expect(cache.list(Thing, { index: { early: 'a', late: '1' } })).toHaveLength(1);
    const resized = version(12);
    resized.spec.size = 2;
    cache.wrote(Thing, resized);
    expect(cache.list(Thing, { index: { late: '1' } })).toEqual([]);
    expect(cache.list(Thing, { index: { late: '2' } })).toHaveLength(1);
  });

  test('with the same name must be the same index', async () => {
    const { cache } = await setUp();
    const values = ({ spec }: { readonly spec: { readonly size: number } }): string[] => [String(spec.size)];
    cache.addIndex(Thing, 'size', values);
    cache.addIndex(Thing, 'size', values);
    cache.addIndex(metadataOf(Thing), 'size', () => []);
    expect(() => cache.addIndex(Thing, 'size', () => ['large'])).toThrow(
      expect.objectContaining({ code: 'USAGE', message: 'Thing already has a different index named size' }),
    );
  });

  test('that throw omit the object and do not affect anything else', async () => {
    const { cache, stop } = await setUp();
    cache.addIndex(Thing, 'broken', () => JSON.parse('{'));
    cache.add(Thing);
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    expect(cache.list(Thing, { index: { broken: 'x' } })).toEqual([]);
    expect(cache.list(Thing)).toHaveLength(1);
  });
});

describe('a warning', () => {
  test('is logged once when all Secrets of the cluster are cached, and not for a selection', async () => {
    const { cache, stop, warnings } = await setUp();
    cache.start(stop.signal);
    cache.add(Secret);
    cache.informer(Secret);
    expect(warnings).toEqual([expect.stringContaining('caching every Secret of the cluster')]);
    cache.add(metadataOf(Secret));
    cache.add(Thing);
    expect(warnings).toHaveLength(1);
    const bounded = await setUp();
    bounded.cache.start(bounded.stop.signal);
    bounded.cache.add(Secret, { labelSelector: 'mine' });
    expect(bounded.warnings).toEqual([]);
  });
});

describe('namespaces with a label', () => {
  const namespaces = { labelSelector: 'team=a' };
  /** One namespace, `default`, with the thing `a`. */
  const serveBoth = (exchange: Exchange): void => {
    const { path, query, response } = exchange;
    if (path !== '/api/v1/namespaces' || query.has('watch')) return serve(exchange);
    const metadata = { name: 'default', uid: 'default', resourceVersion: '1' };
    return json(response, 200, { metadata: { resourceVersion: '10' }, items: [{ metadata }] });
  };

  test('are watched once for all kinds, until no kind needs them', async () => {
    const { cache, stop, server, watches } = await setUp({ script: serveBoth });
    const uses = [cache.add(Thing, { namespaces }), cache.add(Secret, { namespaces })];
    cache.start(stop.signal);
    await cache.synced(stop.signal);
    await eventually(() => watches().length === 3);
    const ofNamespaces = server.exchanges.filter(({ path }) => path === '/api/v1/namespaces');
    expect(ofNamespaces.map(({ query }) => query.get('labelSelector'))).toEqual(['team=a', 'team=a']);
    expect(ofNamespaces[0]!.headers.accept).toContain('PartialObjectMetadata');
    for (const use of uses) use[Symbol.dispose]();
    await eventually(() => watches().length === 0);
    using again = cache.add(Thing, { namespaces });
    await cache.informer(Thing).synced;
    expect(cache.list(Thing)).toHaveLength(1);
    expect(again).toBeDefined();
  });

  test('that cannot be watched keep the cache from being synced, and are the problem', async () => {
    const { cache, stop } = await setUp({
      script: ({ response }) => json(response, 403, status(403, 'Forbidden', 'cannot list namespaces')),
    });
    cache.add(Thing, { namespaces });
    cache.start(stop.signal);
    await eventually(() => cache.problems().join().includes('Forbidden'));
    expect(cache.problems()).toEqual([
      'Namespace.v1 (metadata) is not cached yet (Forbidden for 0 s: cannot list namespaces)',
    ]);
    expect(cache.commonProblems()).toEqual(cache.problems());
    expect(cache.informer(Thing).isSynced).toBe(false);
  });
});

describe('events', () => {
  test('of any number of kinds can be read with one signal', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): void => void warnings.push(warning);
    process.on('warning', note);
    const { cache, stop } = await setUp();
    cache.start(stop.signal);
    const end = new AbortController();
    const readers = Array.from({ length: 20 }, () => cache.events(Thing, { signal: end.signal }));
    const first = await Promise.all(readers.map((reader) => reader.next()));
    expect(first.map(({ value }) => value?.object.metadata.name)).toEqual(readers.map(() => 'a'));
    end.abort();
    await Promise.all(readers.map((reader) => reader.next()));
    process.off('warning', note);
    expect(warnings).toEqual([]);
  });

  test('arrive as an iterable that skips what a slow reader missed', async () => {
    const { cache, stop, watches } = await setUp();
    cache.start(stop.signal);
    const end = new AbortController();
    const events = cache.events(Thing, { signal: end.signal });
    const next = async (): Promise<string> => {
      const { value } = await events.next();
      return value
        ? `${value.type} ${value.object.metadata.name}@${value.object.metadata.resourceVersion}`
        : 'end';
    };
    expect(await next()).toBe('added a@1');
    await eventually(() => watches().length === 1);
    const send = (type: string, object: object): void =>
      void watches()[0]!.response.write(`${JSON.stringify({ type, object })}\n`);
    send('MODIFIED', version(11));
    send('MODIFIED', version(12));
    send('ADDED', version(13, 'b'));
    send('DELETED', version(14, 'b'));
    send('ADDED', version(15, 'c'));
    send('DELETED', version(16));
    send('ADDED', version(17, 'a', 'a2'));
    await eventually(() => cache.get(Thing, a)?.metadata.uid === 'a2');
    expect(await next()).toBe('updated a@17');
    expect(await next()).toBe('added c@15');
    const last = next();
    end.abort();
    expect(await last).toBe('end');
    await settled();
    expect(() => cache.list(Thing)).toThrow(expect.objectContaining({ code: 'KIND_NOT_CACHED' }));
  });
});
