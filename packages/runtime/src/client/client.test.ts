import { defineKind } from 'ots-kubernetes';
import { afterEach, describe, expect, test } from 'vitest';
import { type Exchange, type Script, ScriptedServer, json, status } from '../../test/scripted-server.ts';
import { Thing, thing } from '../../test/thing.ts';
import {
  ApiError,
  isAlreadyExists,
  isApiError,
  isConflict,
  isExpired,
  isForbidden,
  isInvalid,
  isNotFound,
  isTooManyRequests,
} from './api-error.ts';
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
      (client: Client) => client.get(Node, { name: 'a:b/c?' }),
      'GET /api/v1/nodes/a%3Ab%2Fc%3F',
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
    await expect(call(client)).rejects.toThrow(`the ${what} of the Thing is missing`);
    expect(server.exchanges).toEqual([]);
  });
});

describe('reading', () => {
  test('an object that is not there is undefined; other refusals are errors', async () => {
    const { client, server } = await setUp(({ response }) => json(response, 404, status(404, 'NotFound')));
    expect(await client.get(Thing, key)).toBeUndefined();
    server.script = ({ response }) => json(response, 403, status(403, 'Forbidden', 'may not'));
    await expect(client.get(Thing, key)).rejects.toThrow('may not');
  });

  test('a list asks for what it is told, and its items know what they are', async () => {
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

  test('patches are sent as what they are', async () => {
    const { client, last } = await setUp();
    await client.patch(Thing, key, { spec: { text: null } });
    expect(last().headers['content-type']).toBe('application/merge-patch+json');
    expect(last().body).toEqual({ spec: { text: null } });
    await client.patch(Thing, key, [{ op: 'remove', path: '/spec/text' }], { type: 'json' });
    expect(last().headers['content-type']).toBe('application/json-patch+json');
    expect(last().body).toEqual([{ op: 'remove', path: '/spec/text' }]);
  });

  test('a field manager goes with every write', async () => {
    const { client, asked } = await setUp(echo, { fieldManager: 'mine' });
    await client.create(Thing, thing('a'));
    expect(asked()).toContain('?fieldManager=mine');
    await client.status.patch(Thing, key, {});
    expect(asked()).toContain('?fieldManager=mine');
  });

  test('a deletion says what it was told', async () => {
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

describe('telling refusals apart', () => {
  const tests = {
    isAlreadyExists,
    isConflict,
    isExpired,
    isForbidden,
    isInvalid,
    isNotFound,
    isTooManyRequests,
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
  ])('%i %s is %s and nothing else', (code, reason, expected) => {
    const error = new ApiError({ code, reason, message: reason });
    expect(
      Object.entries(tests)
        .filter(([, is]) => is(error))
        .map(([name]) => name),
    ).toEqual([expected]);
    expect(error.hint).not.toBe('');
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
