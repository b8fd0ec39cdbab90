import { afterEach, describe, expect, test } from 'vitest';
import { type Script, ScriptedServer, json, status } from '../../test/scripted-server.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { runInContext } from '../context/work-context.ts';
import { Transport } from '../transport/transport.ts';
import { RestMapper } from './rest-mapper.ts';

const disposals: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const dispose of disposals.splice(0).toReversed()) await dispose();
});

async function setUp(script: Script) {
  const server = await ScriptedServer.start(script);
  const clock = new VirtualClock();
  const transport = new Transport({ server: server.url });
  disposals.push(
    () => server[Symbol.asyncDispose](),
    () => transport.close(),
  );
  return { server, clock, mapper: new RestMapper(transport, { clock }) };
}

const resource = (plural: string, kind: string, scope = 'Namespaced') => ({
  resource: plural,
  scope,
  responseKind: { group: '', version: '', kind },
  subresources: [{ subresource: 'status' }],
});
const aggregated = (...groups: [string, Record<string, object[]>][]) => ({
  kind: 'APIGroupDiscoveryList',
  items: groups.map(([name, versions]) => ({
    metadata: { name },
    versions: Object.entries(versions).map(([version, resources]) => ({ version, resources })),
  })),
});
let groups: Parameters<typeof aggregated> = [];
const modern: Script = ({ path, response }) =>
  json(
    response,
    200,
    path === '/api'
      ? aggregated(['', { v1: [resource('pods', 'Pod'), resource('nodes', 'Node', 'Cluster')] }])
      : aggregated(...groups),
  );

const lists: Record<string, unknown> = {
  '/api': { kind: 'APIVersions', versions: ['v1'] },
  '/apis': {
    kind: 'APIGroupList',
    groups: [
      {
        name: 'example.com',
        preferredVersion: { version: 'v2' },
        versions: [{ version: 'v1' }, { version: 'v2' }],
      },
      { name: 'down.example.com', versions: [{ version: 'v1' }] },
    ],
  },
  '/api/v1': {
    resources: [
      { name: 'pods', kind: 'Pod', namespaced: true },
      { name: 'pods/log', kind: 'Pod' },
    ],
  },
  '/apis/example.com/v1': { resources: [{ name: 'things', kind: 'Thing', namespaced: true }] },
  '/apis/example.com/v2': { resources: [{ name: 'things', kind: 'Thing', namespaced: true }] },
};
const old: Script = ({ path, response }) =>
  lists[path] ? json(response, 200, lists[path]) : json(response, 503, status(503, 'ServiceUnavailable'));

describe('kinds', () => {
  test('come from one document for the core group and one for all others', async () => {
    groups = [['example.com', { v2: [resource('things', 'Thing')], v1: [resource('things', 'Thing')] }]];
    const { server, mapper } = await setUp(modern);
    expect(await mapper.kindFor('v1', 'Node')).toEqual({
      apiVersion: 'v1',
      group: '',
      version: 'v1',
      kind: 'Node',
      plural: 'nodes',
      scope: 'Cluster',
    });
    const versions = await mapper.kindsOf({ group: 'example.com', kind: 'Thing' });
    expect(versions.map(({ version }) => version)).toEqual(['v2', 'v1']);
    expect(await mapper.kindsOf({ group: '', resource: 'pods' })).toHaveLength(1);
    expect(server.exchanges.map(({ path }) => path).toSorted()).toEqual(['/api', '/apis']);
    expect(server.exchanges[0]!.headers.accept).toMatch(/^application\/json;g=apidiscovery\.k8s\.io;v=v2;/);
  });

  test('come from the older lists, where an extension that is down hides only its own kinds', async () => {
    const { mapper } = await setUp(old);
    expect((await mapper.kindFor('v1', 'Pod')).plural).toBe('pods');
    const versions = await mapper.kindsOf({ group: 'example.com', resource: 'things' });
    expect(versions.map(({ apiVersion }) => apiVersion)).toEqual(['example.com/v2', 'example.com/v1']);
    await expect(mapper.kindFor('down.example.com/v1', 'Any')).rejects.toMatchObject({
      code: 'NO_KIND_MATCH',
    });
  });

  test('with invalid names are ignored', async () => {
    groups = [['example.com', { v1: [resource('Odd_Name', 'odd'), resource('things', 'Thing')] }]];
    const { mapper } = await setUp(modern);
    expect(await mapper.kindsOf({ group: 'example.com', kind: 'Thing' })).toHaveLength(1);
    await expect(mapper.kindsOf({ group: 'example.com', kind: 'odd' })).rejects.toThrow('has no odd');
  });
});

describe('a missing kind', () => {
  test('is requested once for concurrent callers, and again after five seconds', async () => {
    groups = [];
    const { server, clock, mapper } = await setUp(modern);
    const ask = () => mapper.kindFor('example.com/v1', 'Thing').catch(({ code }: { code: string }) => code);
    expect(new Set(await Promise.all(Array.from({ length: 50 }, ask)))).toEqual(new Set(['NO_KIND_MATCH']));
    await clock.advance(4_999);
    expect(await ask()).toBe('NO_KIND_MATCH');
    expect(server.exchanges).toHaveLength(2);
    groups = [['example.com', { v1: [resource('things', 'Thing')] }]];
    await clock.advance(1);
    expect(await ask()).toMatchObject({ plural: 'things' });
    expect(server.exchanges).toHaveLength(4);
  });

  test('that was evicted is looked up again', async () => {
    groups = [['example.com', { v1: [resource('things', 'Thing'), resource('others', 'Other')] }]];
    const { server, clock, mapper } = await setUp(modern);
    const kind = await mapper.kindFor('example.com/v1', 'Thing');
    expect(await mapper.isAvailable(kind)).toBe(true);
    expect(await mapper.isAvailable({ ...kind, plural: 'thinges' })).toBe(false);
    mapper.evict(kind);
    expect(await mapper.isAvailable(kind)).toBe(false);
    expect(await mapper.kindFor('example.com/v1', 'Other')).toBeDefined();
    expect(server.exchanges).toHaveLength(2);
    await clock.advance(5_000);
    expect(await mapper.isAvailable(kind)).toBe(true);
  });

  test('a failure rejects all waiting callers, and is not cached', async () => {
    const { server, mapper } = await setUp(({ response }) =>
      json(response, 403, status(403, 'Forbidden', 'no')),
    );
    const asked = [mapper.kindFor('v1', 'Pod'), mapper.kindFor('v1', 'Node')];
    for (const each of asked) await expect(each).rejects.toThrow('no');
    server.script = modern;
    expect(await mapper.kindFor('v1', 'Pod')).toBeDefined();
  });

  test('a caller that gives up does not affect the others', async () => {
    const { mapper } = await setUp(modern);
    const work = new AbortController();
    const first = runInContext({ signal: work.signal }, () => mapper.kindFor('v1', 'Pod'));
    const second = mapper.kindFor('v1', 'Pod');
    work.abort(new Error('over'));
    await expect(first).rejects.toThrow('over');
    expect((await second).plural).toBe('pods');
  });
});
