import { Readable } from 'node:stream';
import { ApiServer } from 'ots-apiserver';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import { expect, test } from 'vitest';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import { Client } from '../client/client.ts';
import { runInContext } from '../context/work-context.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import type { LocalExchange, LocalRequest } from '../kubeconfig/local-exchange.ts';
import { Manager } from '../manager/manager.ts';
import { createLogger } from '../logging/create-logger.ts';
import { waitFor } from '../waiting/wait-for.ts';
import { Transport } from './transport.ts';

const logger = createLogger({ level: 'silent' });

/** The URL answers nothing: whatever works needs no network. */
function connectionTo(exchange: LocalExchange, more: Partial<ConnectionConfig> = {}): ConnectionConfig {
  return { server: 'http://127.0.0.1:1', exchange, ...more };
}

function configMap(name: string): ConfigMap {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'default' } };
}

function answer(
  status: number,
  body: object,
  headers: Record<string, string> = {},
): Awaited<ReturnType<LocalExchange>> {
  return { status, headers, body: Readable.from([Buffer.from(JSON.stringify(body))]) };
}

/** A transport on a clock that stands still, with what its requests look like. */
function transportTo(exchange: LocalExchange, more: Partial<ConnectionConfig> = {}) {
  const clock = new VirtualClock();
  const sent: LocalRequest[] = [];
  const observe: LocalExchange = (request) => {
    sent.push(request);
    return exchange(request);
  };
  return {
    clock,
    sent,
    transport: new Transport(connectionTo(observe, { clock, random: () => 0, ...more })),
  };
}

const errorOf = (error: unknown): unknown => error;

const get = { method: 'GET', path: '/x' } as const;
const never: LocalExchange = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));

test('a client and the caches of a manager work with a server in this process', async () => {
  await using server = await ApiServer.start();
  const connection = connectionTo((request) => server.exchange(request));
  await using manager = await Manager.create({ connection, logger });
  manager.cache.add(ConfigMap);
  const running = manager.start();
  await manager.ready;
  const client = new Client(connection);
  await client.create(ConfigMap, configMap('a'));
  await expect(client.create(ConfigMap, configMap('a'))).rejects.toMatchObject({ status: 409 });
  await waitFor(() => manager.client.get(ConfigMap, { name: 'a', namespace: 'default' }));
  await client.delete(ConfigMap, { name: 'a', namespace: 'default' });
  await waitFor(async () => !(await manager.client.get(ConfigMap, { name: 'a', namespace: 'default' })));
  await client.close();
  await manager.stop();
  await running;
});

test('a request has the headers of the connection and does not ask for compression', async () => {
  const { transport, sent } = transportTo(async () => answer(200, {}), {
    token: 'secret',
    impersonate: { user: 'jane', groups: ['a', 'b'] },
  });
  await transport.request(get);
  expect(sent[0]).toMatchObject({ method: 'GET', path: '/x', body: null });
  expect(sent[0]!.headers).toStrictEqual({
    accept: 'application/json',
    authorization: 'Bearer secret',
    'impersonate-user': 'jane',
    'impersonate-group': ['a', 'b'],
    'user-agent': 'ots-runtime',
  });
});

test('429 with Retry-After is retried when the clock says so', async () => {
  const answers = [answer(429, {}, { 'retry-after': '2' }), answer(200, { done: true })];
  const { transport, clock, sent } = transportTo(async () => answers.shift()!);
  const response = transport.request(get);
  await settled();
  await clock.advance(1999);
  expect(sent).toHaveLength(1);
  await clock.advance(1);
  expect(await response).toStrictEqual({ done: true });
  expect(sent).toHaveLength(2);
});

test('a deadline and the signal of the caller end a request, and the server notices', async () => {
  const { transport, clock, sent } = transportTo(never);
  const late = transport.request(get).catch(errorOf);
  await settled();
  await clock.advance(30_000);
  expect(await late).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  expect(sent[0]!.signal.aborted).toBe(true);
  const controller = new AbortController();
  const reason = new Error('enough');
  const canceled = transport.request({ ...get, signal: controller.signal }).catch(errorOf);
  await settled();
  controller.abort(reason);
  expect(await canceled).toBe(reason);
  expect(sent[1]!.signal.aborted).toBe(true);
});

test('a write passes the fence of its work before it is sent', async () => {
  const { transport, sent } = transportTo(async () => answer(200, {}));
  const fenced = new Error('no longer the leader');
  const fence = (): void => {
    throw fenced;
  };
  const write = runInContext({ fence }, () => transport.request({ method: 'POST', path: '/x', body: {} }));
  await expect(write).rejects.toBe(fenced);
  expect(sent).toStrictEqual([]);
});

test('a broken connection is an error like that of a network, and a read is retried', async () => {
  const broken = Object.assign(new Error('reset'), { code: 'ECONNRESET' });
  const { transport, sent, clock } = transportTo(() => Promise.reject(broken));
  const write = transport.request({ method: 'POST', path: '/x', body: {} });
  await expect(write).rejects.toMatchObject({ name: 'UnreachableError', cause: broken });
  const read = transport.request(get).catch(errorOf);
  await settled();
  for (let retry = 0; retry < 5; retry += 1) await clock.advance(2000);
  expect(await read).toMatchObject({ cause: broken });
  expect(sent).toHaveLength(1 + 6);
});

test('closing ends requests and watches in progress', async () => {
  await using server = await ApiServer.start();
  const transport = new Transport(connectionTo((request) => server.exchange(request)));
  const watch = await transport.stream('/api/v1/configmaps', { watch: true }, new AbortController().signal);
  const first = watch[Symbol.asyncIterator]().next();
  const stuck = transportTo(never);
  const request = stuck.transport.request(get).catch(errorOf);
  await settled();
  await transport.close();
  await stuck.transport.close();
  await expect(first).rejects.toThrow('destroyed');
  expect(await request).toMatchObject({ name: 'UnreachableError' });
});
