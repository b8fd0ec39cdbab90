import { once } from 'node:events';
import { request } from 'node:http';
import { json, text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { configMaps } from '../../test/support/fixtures.ts';
import { ApiServer } from '../api-server.ts';
import type { ExchangeResponse } from './local-connection.ts';

const accept = { accept: 'application/json' };

function created(
  server: ApiServer,
  name: string,
  data: Record<string, string> = {},
): Promise<ExchangeResponse> {
  const headers = { ...accept, 'content-type': 'application/json' };
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
  return server.exchange({ method: 'POST', path: configMaps, headers, body });
}

function get(server: ApiServer, path: string, signal?: AbortSignal): Promise<ExchangeResponse> {
  return server.exchange({ method: 'GET', path, headers: accept, ...(signal && { signal }) });
}

/** The response to a GET over the network. */
async function received(server: ApiServer, path: string): Promise<{ headers: object; body: string }> {
  const outgoing = request(new URL(path, server.url), { headers: accept }).end();
  const [response] = await once(outgoing, 'response');
  return { headers: response.headers, body: await text(response) };
}

test('a response has the bytes and headers that it has over the network', async () => {
  await using server = await ApiServer.start({ controllers: false });
  const { status, body } = await created(server, 'a');
  expect(status).toBe(201);
  expect(await json(body)).toMatchObject({ metadata: { name: 'a', namespace: 'default' } });
  for (const path of [configMaps, `${configMaps}/a`, `${configMaps}/missing`, '/version', '/api']) {
    const local = await get(server, path);
    const { headers, body: sent } = await received(server, path);
    const { date: _, connection: __, 'keep-alive': ___, 'audit-id': id, ...same } = headers as any;
    expect(id).toBeTypeOf('string');
    expect(local.headers).toStrictEqual({ ...same, 'audit-id': expect.any(String) });
    expect(await text(local.body)).toBe(sent);
  }
});

test('a watch sends each event when it happens, until the client disconnects', async () => {
  await using server = await ApiServer.start();
  const watch = await get(server, `${configMaps}?watch=true&resourceVersion=0`);
  const lines = watch.body.setEncoding('utf8')[Symbol.asyncIterator]();
  for (const name of ['a', 'b']) {
    await created(server, name);
    expect(JSON.parse((await lines.next()).value)).toMatchObject({
      type: 'ADDED',
      object: { metadata: { name } },
    });
  }
  watch.body.destroy();
  await expect(lines.next()).rejects.toThrow('Premature close');
});

test('the server waits for a client that does not read', async () => {
  await using server = await ApiServer.start();
  const count = 40;
  for (let index = 0; index < count; index += 1)
    await created(server, `m${index}`, { text: 'x'.repeat(50_000) });
  const { body } = await get(server, configMaps);
  expect(body.readableLength).toBeLessThan(500_000);
  const { items } = (await json(body)) as { items: unknown[] };
  expect(items).toHaveLength(count);
});

test('an abort ends a request with its reason, before and after the response begins', async () => {
  await using server = await ApiServer.start();
  const reason = new Error('enough');
  await expect(get(server, configMaps, AbortSignal.abort(reason))).rejects.toBe(reason);
  const controller = new AbortController();
  const watch = await get(server, `${configMaps}?watch=true`, controller.signal);
  const rest = text(watch.body);
  controller.abort(reason);
  await expect(rest).rejects.toBe(reason);
});

test('a stopped server ends its watches and refuses requests', async () => {
  await using server = await ApiServer.start();
  const watch = await get(server, `${configMaps}?watch=true`);
  const rest = text(watch.body);
  await server.stop();
  await expect(rest).rejects.toMatchObject({ code: 'ECONNRESET' });
  await expect(get(server, configMaps)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('a body that is too large is refused', async () => {
  await using server = await ApiServer.start();
  const { status, body } = await created(server, 'a', { text: 'x'.repeat(3 * 1024 * 1024) });
  expect(status).toBe(413);
  expect(await json(body)).toMatchObject({ reason: 'RequestEntityTooLarge' });
});

test('a request acts as the user of its token, or the one that it impersonates', async () => {
  await using server = await ApiServer.start({
    token: 'secret',
    users: [{ token: 'j', name: 'jane', groups: [] }],
  });
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
  const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
  const who = async (given: Record<string, string | string[]>) => {
    const headers = { ...accept, 'content-type': 'application/json', ...given };
    const response = await server.exchange({ method: 'POST', path, headers, body });
    const { code, status } = (await json(response.body)) as any;
    return code ?? [status.userInfo.username, ...status.userInfo.groups];
  };
  expect(await who({ authorization: 'Bearer j' })).toStrictEqual(['jane', 'system:authenticated']);
  expect(await who({ authorization: 'Bearer wrong' })).toBe(401);
  expect(await who({})).toBe(403);
  const headers = { 'impersonate-user': 'joe', 'impersonate-group': ['a', 'b'] };
  expect(await who({ authorization: 'Bearer secret', ...headers })).toStrictEqual([
    'joe',
    'a',
    'b',
    'system:authenticated',
  ]);
});

test('a call has the status and the body of a response, and the object in it', async () => {
  await using server = await ApiServer.start({ controllers: false });
  const headers = { ...accept, 'content-type': 'application/json' };
  const post = (name: string) => ({
    method: 'POST',
    path: configMaps,
    headers,
    body: JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }),
  });
  const stored = await server.call(post('a'));
  expect(stored).toMatchObject({ status: 201, object: { metadata: { name: 'a' } } });
  expect((await get(server, `${configMaps}/a`)).content?.toString()).toBe(stored!.body);
  expect(await server.call(post('a'))).toMatchObject({ status: 409, object: { reason: 'AlreadyExists' } });
  for (const path of [configMaps, `${configMaps}/a`, `${configMaps}/missing`, '/version', '/none']) {
    const { status, content } = await get(server, path);
    expect(await server.call({ method: 'GET', path, headers: accept })).toMatchObject({
      status,
      body: content!.toString(),
    });
  }
});

test('a call is made by whom its headers name, with their rights', async () => {
  await using server = await ApiServer.start({ controllers: false });
  const headers = { ...accept, 'impersonate-user': 'jane' };
  const called = await server.call({ method: 'GET', path: configMaps, headers });
  expect(called).toMatchObject({ status: 403, object: { message: expect.stringContaining('"jane"') } });
});

test('a call is not made where a response would differ', async () => {
  const requests: string[] = [];
  await using recorded = await ApiServer.start({ onRequest: ({ verb }) => requests.push(verb) });
  const list = { method: 'GET', path: configMaps, headers: accept };
  expect(await recorded.call(list)).toBeUndefined();
  expect(requests).toEqual([]);
  await using server = await ApiServer.start();
  expect(await server.call({ ...list, path: `${configMaps}?watch=true` })).toBeUndefined();
  const fault = server.faults.add({ selects: ({ verb }) => verb === 'list' }, { answer: 'InternalError' });
  expect(await server.call(list)).toBeUndefined();
  expect(fault.hits).toBe(0);
  expect(await server.call({ ...list, path: `${configMaps}/a` })).toMatchObject({ status: 404 });
  fault.remove();
  expect(await server.call(list)).toMatchObject({ status: 200 });
  await server.stop();
  expect(await server.call(list)).toBeUndefined();
});
