import { defineKind } from 'ots-kubernetes';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { type Exchange, type Script, ScriptedServer, json, status } from '../../test/scripted-server.ts';
import { Thing, thing } from '../../test/thing.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';
import {
  ApiError,
  isAlreadyExists,
  isApiError,
  isBadRequest,
  isConflict,
  isExpired,
  isForbidden,
  isInternalError,
  isInvalid,
  isKindMissing,
  isMethodNotSupported,
  isNotFound,
  isServiceUnavailable,
  isTimeout,
  isTooLarge,
  isTooManyRequests,
  isUnauthorized,
} from '../errors/api-error.ts';
import { ConnectionError, RequestTimeoutError, isConnectionError } from '../errors/connection-error.ts';
import { metadataOf } from '../objects/metadata-of.ts';
import { unstructured } from '../objects/unstructured.ts';
import { Transport } from '../transport/transport.ts';
import type { CachedReader } from './cached-reader.ts';
import { Client, type ClientOptions } from './client.ts';

const Pod = defineKind({ apiVersion: 'v1', kind: 'Pod', plural: 'pods', scope: 'Namespaced' });
const Node = defineKind({ apiVersion: 'v1', kind: 'Node', plural: 'nodes', scope: 'Cluster' });

const disposables: AsyncDisposable[] = [];

afterEach(async () => {
  for (const disposable of disposables.splice(0).toReversed()) await disposable[Symbol.asyncDispose]();
});

const echo: Script = ({ body, response }) => json(response, 200, body ?? {});

async function setUp(script: Script = echo, options: ClientOptions = {}) {
  const server = await ScriptedServer.start(script);
  const client = new Client({ server: server.url }, options);
  disposables.push(server, client);
  const asked = (): string => {
    const { method, path, query } = server.exchanges.at(-1)!;
    return `${method} ${path}${query.size > 0 ? `?${query.toString()}` : ''}`;
  };
  return { server, client, asked, last: (): Exchange => server.exchanges.at(-1)! };
}

const Unknown = unstructured({
  apiVersion: 'example.com/v1',
  kind: 'Unknown',
  plural: 'unknowns',
  scope: 'Namespaced',
});
const key = { name: 'a', namespace: 'default' };

describe('paths', () => {
  test.each([
    [
      'a namespaced custom kind',
      (client: Client) => client.get(Thing, key),
      'GET /apis/example.com/v1/namespaces/default/things/a',
    ],
    [
      'a namespaced core kind',
      (client: Client) => client.get(Pod, key),
      'GET /api/v1/namespaces/default/pods/a',
    ],
    [
      'a cluster-scoped kind, whatever the namespace',
      (client: Client) => client.get(Node, key),
      'GET /api/v1/nodes/a',
    ],
    [
      'a name with reserved characters',
      (client: Client) => client.get(Node, { name: 'a:b c?' }),
      'GET /api/v1/nodes/a%3Ab%20c%3F',
    ],
    [
      'a deletion',
      (client: Client) => client.delete(Thing, key),
      'DELETE /apis/example.com/v1/namespaces/default/things/a',
    ],
    [
      'a creation',
      (client: Client) => client.create(Thing, thing('a')),
      'POST /apis/example.com/v1/namespaces/default/things',
    ],
    [
      'an update',
      (client: Client) => client.update(Thing, thing('a')),
      'PUT /apis/example.com/v1/namespaces/default/things/a',
    ],
    [
      'an update of status',
      (client: Client) => client.status.update(Thing, thing('a')),
      'PUT /apis/example.com/v1/namespaces/default/things/a/status',
    ],
    [
      'a patch of status',
      (client: Client) => client.status.patch(Thing, key, { status: { size: 1 } }),
      'PATCH /apis/example.com/v1/namespaces/default/things/a/status',
    ],
  ])('%s', async (_, call, expected) => {
    const { client, asked } = await setUp();
    await call(client);
    expect(asked()).toBe(expected);
  });

  test.each([
    ['get', (client: Client) => client.get(Thing, { name: 'a' }), 'namespace'],
    ['get', (client: Client) => client.get(Thing, { name: '', namespace: 'default' }), 'name'],
    ['delete', (client: Client) => client.delete(Thing, { name: 'a' }), 'namespace'],
    [
      'create',
      async (client: Client) => client.create(Thing, { ...thing('a'), metadata: { name: 'a' } }),
      'namespace',
    ],
    [
      'update',
      async (client: Client) => client.update(Thing, { ...thing('a'), metadata: { namespace: 'default' } }),
      'name',
    ],
  ])('%s of something without a %3$s is refused before it is sent', async (_, call, what) => {
    const { client, server } = await setUp();
    await expect(call(client)).rejects.toThrow(`The ${what} of the Thing is missing`);
    expect(server.exchanges).toEqual([]);
  });
});

describe('reading', () => {
  test('a missing object is undefined; other refusals are errors', async () => {
    const { client, server } = await setUp(({ response }) => json(response, 404, status(404, 'NotFound')));
    expect(await client.get(Thing, key)).toBeUndefined();
    server.script = ({ response }) => json(response, 403, status(403, 'Forbidden', 'may not'));
    await expect(client.get(Thing, key)).rejects.toThrow('may not');
  });

  test('a list sends its options, and its items have a kind', async () => {
    const { client, asked } = await setUp(({ response }) =>
      json(response, 200, { metadata: { continue: 'more' }, items: [{ metadata: { name: 'a' } }] }),
    );
    const list = await client.list(Thing, {
      namespace: 'default',
      labelSelector: 'app=web',
      fieldSelector: 'metadata.name=a',
      limit: 5,
      continue: 'here',
    });
    expect(asked()).toBe(
      'GET /apis/example.com/v1/namespaces/default/things?labelSelector=app%3Dweb&fieldSelector=metadata.name%3Da&limit=5&continue=here',
    );
    expect(list).toEqual({
      metadata: { continue: 'more' },
      items: [{ metadata: { name: 'a' }, apiVersion: 'example.com/v1', kind: 'Thing' }],
    });
    await client.list(Thing);
    expect(asked()).toBe('GET /apis/example.com/v1/things');
  });
});

describe('writing', () => {
  test('fields that the type does not know survive', async () => {
    const { client } = await setUp();
    const object = { ...thing('a'), unknown: { deep: [1] } };
    expect(await client.update(Thing, object)).toEqual(object);
  });

  test('patches are sent with their content type', async () => {
    const { client, last } = await setUp();
    await client.patch(Thing, key, { spec: { text: null } });
    expect(last().headers['content-type']).toBe('application/merge-patch+json');
    expect(last().body).toEqual({ spec: { text: null } });
    await client.patch(Thing, key, [{ op: 'remove', path: '/spec/text' }], { type: 'json' });
    expect(last().headers['content-type']).toBe('application/json-patch+json');
    expect(last().body).toEqual([{ op: 'remove', path: '/spec/text' }]);
  });

  test('a field manager goes with every write', async () => {
    const { client, asked } = await setUp(echo, { fieldOwner: 'mine' });
    await client.create(Thing, thing('a'));
    expect(asked()).toContain('?fieldManager=mine');
    await client.status.patch(Thing, key, {});
    expect(asked()).toContain('?fieldManager=mine');
  });

  test('a deletion sends its options', async () => {
    const { client, last } = await setUp();
    await client.delete(Thing, key, { preconditions: { uid: 'u' }, propagationPolicy: 'Foreground' });
    expect(last().body).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { uid: 'u' },
      propagationPolicy: 'Foreground',
    });
  });
});

describe('a name that is not trusted', () => {
  test.each(['.', '..', 'a/status', '../../secrets/b', 'a%2Fstatus'])(
    '%j is refused: it would be another request',
    async (name) => {
      const { client, server } = await setUp();
      await expect(client.delete(Thing, { name, namespace: 'default' })).rejects.toThrow(
        'cannot be the name',
      );
      await expect(client.list(Thing, { namespace: name })).rejects.toThrow('cannot be the namespace');
      await expect(client.subresource(name).get(Thing, key)).rejects.toThrow('cannot be the subresource');
      expect(server.exchanges).toEqual([]);
    },
  );
});

describe('any path', () => {
  test('is requested with its options', async () => {
    const { client, asked, last } = await setUp();
    await client.raw({ method: 'POST', path: '/a/b', query: { c: 1 }, body: { d: 2 } });
    expect(asked()).toBe('POST /a/b?c=1');
    expect(last().body).toEqual({ d: 2 });
    await expect(client.raw({ path: 'version' })).rejects.toThrow('"version" is not a path');
  });
});

describe('types', () => {
  // Compiled, and never run.
  const examples = async (client: Client): Promise<void> => {
    const object = await client.getOrThrow(Thing, key);
    // @ts-expect-error what was read is read-only
    object.spec.size = 2;
    // @ts-expect-error there is no spec in metadata
    void (await client.getOrThrow(metadataOf(Thing), key)).spec;
    const draft = await client.update(Thing, object);
    draft.spec.size = 2;
    // @ts-expect-error a field of another type
    await client.patch(Thing, key, { spec: { size: 'x' } });
    // @ts-expect-error a draft of something that was not read
    await client.patch(Thing, key, (changed) => void (changed.spec.size = 1));
    await client.apply(Thing, { metadata: key, spec: { text: 'part of a spec' } });
    // @ts-expect-error an object without a name
    await client.apply(Thing, { metadata: {}, spec: {} });
    const { spec } = await client.scale.patch(Thing, key, { spec: { replicas: 1 } });
    void spec?.replicas;
    // @ts-expect-error the body of a scale is not the object
    await client.scale.update(Thing, object);
    // @ts-expect-error also the items of a list
    (await client.list(Thing)).items[0]!.metadata.labels = {};
    await client.delete(Thing, object);
    // @ts-expect-error an object of another kind
    await client.delete(Thing, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } });
    // @ts-expect-error a field that does not exist
    await client.apply(Thing, { metadata: { name: 'a' }, spec: { siez: 1 } });
    // @ts-expect-error an object of another kind
    await client.create(Thing, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } });
    // @ts-expect-error operations are not a merge patch
    await client.patch(Thing, key, [{ op: 'remove', path: '/spec' }], { type: 'merge' });
    // @ts-expect-error a lock needs the version that was read
    await client.patch(Thing, key, { spec: { size: 1 } }, { optimisticLock: true });
    // @ts-expect-error an apply is always validated strictly
    await client.apply(Thing, { metadata: { name: 'a' } }, { fieldValidation: 'Warn' });
    const unknown = await client.getOrThrow(Unknown, key);
    // @ts-expect-error what is in it has to be looked at first
    void unknown['spec'].size;
    // @ts-expect-error a draft of something that was not read
    await client.patch(Unknown, key, (changed) => void (changed['spec'] = {}));
    await client.patch(Thing, key, { spec: { text: null }, metadata: { labels: { a: null } } });
  };

  test('are those of the objects', () => {
    expect(examples).toBeTypeOf('function');
  });
});

describe('a 404', () => {
  test('from a proxy says nothing about the object', async () => {
    const { client } = await setUp(({ response }) => response.writeHead(404).end('404 page not found'));
    const error = await client.get(Thing, key).catch((thrown: unknown) => thrown);
    expect([isNotFound(error), isKindMissing(error)]).toEqual([true, true]);
    expect(error).toMatchObject({
      message: 'The response to GET /apis/example.com/v1/namespaces/default/things/a was 404 NotFound',
    });
  });
});

describe('a kind that was removed', () => {
  test('is forgotten by the mapper as soon as a request reveals it', async () => {
    const resources = [{ resource: 'things', scope: 'Namespaced', responseKind: { kind: 'Thing' } }];
    const { client } = await setUp(({ path, response }) => {
      const items = [{ metadata: { name: 'example.com' }, versions: [{ version: 'v1', resources }] }];
      if (path === '/api') json(response, 200, { kind: 'APIGroupDiscoveryList', items: [] });
      else if (path === '/apis') json(response, 200, { kind: 'APIGroupDiscoveryList', items });
      else response.writeHead(404).end('404 page not found');
    });
    expect(await client.mapper.isAvailable(Thing)).toBe(true);
    await client.status.get(Thing, key).catch(() => {});
    expect(await client.mapper.isAvailable(Thing)).toBe(true);
    await client.list(Thing).catch(() => {});
    expect(await client.mapper.isAvailable(Thing)).toBe(false);
  });
});

describe('options of writes', () => {
  test('are in the query, and those of a call win over those of the client', async () => {
    const { client, asked } = await setUp(echo, { fieldOwner: 'mine' });
    await client.create(Thing, thing('a'), { dryRun: true, fieldOwner: 'other', fieldValidation: 'Strict' });
    expect(asked()).toContain('?dryRun=All&fieldManager=other&fieldValidation=Strict');
    await client.apply(Thing, { metadata: key }, { force: true });
    expect(asked()).toContain('?fieldManager=mine&force=true');
  });

  test('an apply without an owner is refused', async () => {
    const { client, asked, last, server } = await setUp();
    const configuration = { metadata: key, spec: { size: 1 } };
    await expect(client.apply(Thing, configuration)).rejects.toThrow('needs a field owner');
    expect(server.exchanges).toEqual([]);
    await client.apply(Thing, configuration, { fieldOwner: 'mine' });
    expect(asked()).toContain('?fieldManager=mine');
    expect(last().headers['content-type']).toBe('application/apply-patch+yaml');
    expect(last().body).toEqual({
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: key,
      spec: { size: 1 },
    });
  });

  test('a timeout is a duration', async () => {
    const { server } = await setUp(() => {});
    const clock = new VirtualClock();
    const transport = new Transport({ server: server.url, clock });
    const client = new Client(transport);
    disposables.push({ [Symbol.asyncDispose]: () => transport.close() });
    const call = client.get(Thing, key, { timeout: '2m' }).catch((thrown: unknown) => thrown);
    await eventually(() => server.exchanges.length === 1);
    expect(clock.delays).toEqual([120_000]);
    await clock.advance(120_000);
    expect(isTimeout(await call)).toBe(true);
  });

  test('a function that changes a draft must be synchronous', async () => {
    const { client, server } = await setUp();
    const change: () => unknown = async () => {};
    await expect(client.patch(Thing, thing('a'), change)).rejects.toThrow('asynchronous');
    await expect(
      client.patch(Thing, thing('a'), (draft) => void (draft.spec.size = 2), { optimisticLock: true }),
    ).rejects.toThrow('without a resourceVersion');
    expect(server.exchanges).toEqual([]);
  });

  test('a deletion sends all of its options', async () => {
    const { client, last } = await setUp();
    await client.deleteCollection(Thing, {
      namespace: 'default',
      labelSelector: { matchLabels: { a: 'b' } },
      fieldSelector: 'metadata.name=a',
      gracePeriodSeconds: 0,
      dryRun: true,
    });
    expect(last().headers.accept).toMatch(/^application\/json;as=PartialObjectMetadataList;/);
    expect([...last().query]).toEqual([
      ['labelSelector', 'a=b'],
      ['fieldSelector', 'metadata.name=a'],
    ]);
    expect(last().body).toEqual({
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      gracePeriodSeconds: 0,
      dryRun: ['All'],
    });
  });
});

describe('a cache', () => {
  function cached() {
    const observed: unknown[] = [];
    const cache: CachedReader = {
      get: () => thing('cached') as never,
      list: (_, options) => [{ ...thing('cached'), asked: options }] as never,
      wrote: (kind, object) => void observed.push(['wrote', kind.kind, structuredClone(object)]),
      removed: (kind, { name, namespace }, uid) =>
        void observed.push(['removed', kind.kind, namespace, name, uid]),
    };
    return { cache, observed };
  }
  const stored = (metadata: object = {}) => ({
    ...thing('a'),
    metadata: { ...key, uid: 'u', resourceVersion: '2', ...metadata },
  });

  test('serves reads, and refuses what only a server can do', async () => {
    const { cache } = cached();
    const { client, server } = await setUp(echo, { cache });
    expect(await client.get(Thing, key)).toEqual(thing('cached'));
    const query = { namespace: 'default', labelSelector: 'a=b', index: { byNode: 'n' } };
    expect((await client.list(Thing, query)).items).toEqual([{ ...thing('cached'), asked: query }]);
    const names: unknown[] = [];
    for await (const { metadata } of client.items(Thing)) names.push(metadata.name);
    expect(names).toEqual(['cached']);
    await expect(client.list(Thing, { fieldSelector: 'a=b', limit: 5 })).rejects.toMatchObject({
      code: 'USAGE',
      message: 'A cache cannot list Thing objects with fieldSelector and limit',
      hint: expect.stringContaining('manager.apiReader'),
    });
    await expect(client.get(Thing, key, { signal: AbortSignal.abort(new Error('over')) })).rejects.toThrow(
      'over',
    );
    expect(server.exchanges).toEqual([]);
  });

  test('the server has no indexes', async () => {
    const { client } = await setUp();
    await expect(client.list(Thing, { index: { byNode: 'n' } })).rejects.toMatchObject({ code: 'USAGE' });
  });

  test('receives what the server stored', async () => {
    const { cache, observed } = cached();
    const { client } = await setUp(({ response }) => json(response, 200, stored()), { cache });
    await client.create(Thing, thing('a'));
    await client.status.patch(Thing, key, { status: { size: 1 } });
    await client.subresource('approval').update(Thing, thing('a'));
    expect(observed).toEqual(Array.from({ length: 3 }, () => ['wrote', 'Thing', stored()]));
  });

  test('does not receive dry runs, responses of another kind, or objects that are never stored', async () => {
    const { cache, observed } = cached();
    const { client, server } = await setUp(({ response }) => json(response, 200, stored()), { cache });
    await client.create(Thing, thing('a'), { dryRun: true });
    await client.delete(Thing, key, { dryRun: true });
    server.script = ({ response }) =>
      json(response, 200, { ...stored(), apiVersion: 'autoscaling/v1', kind: 'Scale' });
    await client.scale.patch(Thing, key, { spec: { replicas: 1 } });
    server.script = ({ response }) => json(response, 200, { ...stored({ uid: undefined }) });
    await client.create(Thing, thing('a'));
    expect(observed).toEqual([]);
  });

  test.each<[string, object, unknown[]]>([
    [
      'a Status says what was removed',
      { kind: 'Status', status: 'Success', details: { uid: 'u' } },
      ['removed', 'Thing', 'default', 'a', 'u'],
    ],
    ['the object as it was', stored(), ['removed', 'Thing', 'default', 'a', 'u']],
    [
      'an object that finalizers hold',
      stored({ deletionTimestamp: 't', finalizers: ['f'] }),
      ['wrote', 'Thing', stored({ deletionTimestamp: 't', finalizers: ['f'] })],
    ],
    [
      'a pod that is ending',
      stored({ deletionTimestamp: 't', deletionGracePeriodSeconds: 30 }),
      ['wrote', 'Thing', stored({ deletionTimestamp: 't', deletionGracePeriodSeconds: 30 })],
    ],
  ])('after a deletion: %s', async (_, answer, expected) => {
    const { cache, observed } = cached();
    const { client } = await setUp(({ response }) => json(response, 200, answer), { cache });
    await client.delete(Thing, key);
    expect(observed).toEqual([expected]);
  });

  test('a namespace stays until its spec.finalizers are done, which its metadata does not show', async () => {
    const Namespace = defineKind({
      apiVersion: 'v1',
      kind: 'Namespace',
      plural: 'namespaces',
      scope: 'Cluster',
    });
    const metadata = { name: 'a', uid: 'u', resourceVersion: '2', deletionTimestamp: 't' };
    const whole = { apiVersion: 'v1', kind: 'Namespace', metadata, spec: { finalizers: ['kubernetes'] } };
    const { cache, observed } = cached();
    const { client, server } = await setUp(({ response }) => json(response, 200, whole), { cache });
    await client.delete(Namespace, { name: 'a' });
    await client.patch(Namespace, { name: 'a' }, { metadata: { labels: { a: 'b' } } });
    server.script = ({ response }) => json(response, 200, { kind: 'PartialObjectMetadata', metadata });
    await client.delete(metadataOf(Namespace), { name: 'a' });
    expect(observed.map((each) => (each as unknown[])[0])).toEqual(['wrote', 'wrote', 'wrote']);
  });

  test('an update that removes the last finalizer removes the object', async () => {
    const { cache, observed } = cached();
    const { client } = await setUp(
      ({ response }) => json(response, 200, stored({ deletionTimestamp: 't', finalizers: [] })),
      { cache },
    );
    await client.update(Thing, thing('a'));
    expect(observed).toEqual([['removed', 'Thing', 'default', 'a', 'u']]);
  });
});

describe('items', () => {
  const page =
    (names: string[], token?: string): Script =>
    ({ response }) =>
      json(response, 200, {
        metadata: { continue: token },
        items: names.map((name) => ({ metadata: { name } })),
      });
  const expired: Script = ({ response }) => json(response, 410, status(410, 'Expired', 'too old'));

  async function collect(...scripts: Script[]) {
    const { client, server } = await setUp((exchange) => scripts.shift()!(exchange));
    const names: unknown[] = [];
    let failure: unknown;
    try {
      for await (const { metadata } of client.items(Thing)) names.push(metadata.name);
    } catch (error) {
      failure = error;
    }
    const tokens = server.exchanges.map(({ query }) => query.get('continue'));
    return { names, failure, tokens, limit: server.exchanges[0]!.query.get('limit') };
  }

  test('are requested in pages', async () => {
    const { names, tokens, limit, failure } = await collect(page(['a', 'b'], 't1'), page(['c']));
    expect({ names, tokens, limit, failure }).toEqual({
      names: ['a', 'b', 'c'],
      tokens: [null, 't1'],
      limit: '500',
      failure: undefined,
    });
  });

  test('a page token that expires in the middle ends them', async () => {
    const { names, failure } = await collect(page(['a'], 't1'), expired);
    expect(names).toEqual(['a']);
    expect(isExpired(failure)).toBe(true);
  });

  test('a page token that expires before the first item restarts them, a few times', async () => {
    const once = await collect(page([], 't1'), expired, page(['a']));
    expect(once).toMatchObject({ names: ['a'], tokens: [null, 't1', null], failure: undefined });
    const again = Array.from({ length: 8 }, (_, index) => (index % 2 === 0 ? page([], 't') : expired));
    expect(isExpired((await collect(...again)).failure)).toBe(true);
  });

  test('null is an empty list for some servers', async () => {
    const { names, failure } = await collect(({ response }) =>
      json(response, 200, { metadata: {}, items: null }),
    );
    expect([names, failure]).toEqual([[], undefined]);
  });
});

describe('distinguishing refusals', () => {
  const tests = {
    isAlreadyExists,
    isConflict,
    isExpired,
    isBadRequest,
    isForbidden,
    isInternalError,
    isInvalid,
    isKindMissing,
    isMethodNotSupported,
    isNotFound,
    isServiceUnavailable,
    isTimeout,
    isTooLarge,
    isTooManyRequests,
    isUnauthorized,
  };

  test.each([
    [404, 'NotFound', 'isNotFound'],
    [409, 'AlreadyExists', 'isAlreadyExists'],
    [409, 'Conflict', 'isConflict'],
    [422, 'Invalid', 'isInvalid'],
    [403, 'Forbidden', 'isForbidden'],
    [410, 'Expired', 'isExpired'],
    [410, 'Gone', 'isExpired'],
    [429, 'TooManyRequests', 'isTooManyRequests'],
    [400, 'BadRequest', 'isBadRequest'],
    [401, 'Unauthorized', 'isUnauthorized'],
    [405, 'MethodNotAllowed', 'isMethodNotSupported'],
    [413, 'RequestEntityTooLarge', 'isTooLarge'],
    [500, 'InternalError', 'isInternalError'],
    [503, 'ServiceUnavailable', 'isServiceUnavailable'],
    [504, 'Timeout', 'isTimeout'],
    [500, 'ServerTimeout', 'isTimeout'],
  ])('%i %s is %s and nothing else', (code, reason, expected) => {
    const error = new ApiError({ code, reason, message: reason });
    expect(
      Object.entries(tests)
        .filter(([, is]) => is(error))
        .map(([name]) => name),
    ).toEqual([expected]);
    expect(error.hint).not.toBe('');
  });

  test('a failed connection is not a refusal, and a timeout can be distinguished', () => {
    const late = new RequestTimeoutError('too late', 'wait');
    const broken = new ConnectionError('connection broken', 'reconnect');
    expect([late, broken].map(isConnectionError)).toEqual([true, true]);
    expect([late, broken].map(isTimeout)).toEqual([true, false]);
    expect([late, broken].map(isApiError)).toEqual([false, false]);
    expect(isConnectionError(new ApiError({ code: 500, reason: 'x', message: 'x' }))).toBe(false);
  });

  test('errors of another copy of this package count, other things do not', () => {
    const foreign = Object.assign(new Error('x'), {
      [Symbol.for('ots-runtime.ApiError')]: true,
      reason: 'NotFound',
    });
    expect(isNotFound(foreign)).toBe(true);
    for (const other of [undefined, null, 'NotFound', { reason: 'NotFound' }, new Error('NotFound')]) {
      expect(isApiError(other)).toBe(false);
    }
  });
});
