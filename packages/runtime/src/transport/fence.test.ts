import { setMaxListeners } from 'node:events';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, type Server, type Socket, connect, createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { selfSignedCertificate } from 'ots-apimachinery/certificates/self-signed-certificate';
import { eventually } from '../../test/eventually.ts';
import { type Exchange, ScriptedServer, json } from '../../test/scripted-server.ts';
import { settled } from '../../test/virtual-clock.ts';
import { runInContext } from '../context/work-context.ts';
import { Transport } from './transport.ts';

const disposals: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const dispose of disposals.splice(0).toReversed()) await dispose();
});

/** A server that keeps every request waiting. */
async function setUp() {
  const waiting: Exchange[] = [];
  const server = await ScriptedServer.start((exchange) => waiting.push(exchange));
  const transport = new Transport({ server: server.url });
  disposals.push(
    () => server[Symbol.asyncDispose](),
    () => transport.close(),
  );
  return { server, transport, waiting };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const connections = 32;
const path = '/api/v1/namespaces/default/configmaps';
const outcome = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

test('a write that waits behind busy connections does not leave after the fence has closed', async () => {
  const { server, transport, waiting } = await setUp();
  const reads = Array.from({ length: connections }, () => transport.request({ method: 'GET', path }));
  await eventually(() => waiting.length === connections);
  let closed = false;
  const fence = (): void => {
    if (closed) throw new Error('not the leader any more');
  };
  const writes = runInContext({ fence }, () => [
    outcome(transport.request({ method: 'POST', path, body: {} })),
    outcome(transport.request({ method: 'PATCH', path: `${path}/a`, body: {} })),
    outcome(transport.request({ method: 'DELETE', path: `${path}/a` })),
    outcome(transport.request({ method: 'GET', path: `${path}/b` })),
  ]);
  await settled();
  expect(server.exchanges).toHaveLength(connections);
  closed = true;
  for (const { response } of waiting.splice(0)) json(response, 200, {});
  await Promise.all(reads);
  // Reads need no leader.
  await eventually(() => waiting.length === 1);
  json(waiting[0]!.response, 200, { read: true });
  expect(await Promise.all(writes)).toEqual([
    new Error('not the leader any more'),
    new Error('not the leader any more'),
    new Error('not the leader any more'),
    { read: true },
  ]);
  expect(server.exchanges.filter(({ method }) => method !== 'GET')).toEqual([]);
  // The connections are as good as before.
  const after = transport.request({ method: 'POST', path, body: {} });
  await eventually(() => waiting.length === 2);
  json(waiting[1]!.response, 201, { written: true });
  expect(await after).toEqual({ written: true });
});

test('a write that waits for a TLS handshake does not leave after the fence has closed', async () => {
  const { cert, key } = selfSignedCertificate({ names: ['localhost'] });
  const received: string[] = [];
  const server = createTlsServer({ cert, key }, (request, response) => {
    received.push(`${request.method}`);
    response.end('{}');
  });
  // Accepts connections, and relays nothing before the test says so.
  const relay = createServer({ pauseOnConnect: true }, (socket) => held.push(socket));
  const held: Socket[] = [];
  const relayed: Socket[] = [];
  const port = await listen(relay);
  const target = await listen(server);
  const transport = new Transport({ server: `https://127.0.0.1:${port}`, insecureSkipTlsVerify: true });
  disposals.push(
    async () => relay.close(),
    async () => server.close(),
    async () => relayed.forEach((socket) => socket.destroy()),
    () => transport.close(),
  );
  let closed = false;
  const fence = (): void => {
    if (closed) throw new Error('not the leader any more');
  };
  const write = runInContext({ fence }, () => outcome(transport.request({ method: 'PUT', path, body: {} })));
  await eventually(() => held.length === 1);
  closed = true;
  const release = (socket: Socket): void => {
    const onward = connect(target, '127.0.0.1');
    relayed.push(socket, onward);
    socket.pipe(onward).pipe(socket);
  };
  held.splice(0).forEach(release);
  expect(await write).toEqual(new Error('not the leader any more'));
  closed = false;
  relay.on('connection', release);
  await runInContext({ fence }, () => transport.request({ method: 'POST', path, body: {} }));
  expect(received).toEqual(['POST']);
});

test('a retry passes the fence again', async () => {
  let asked = 0;
  const { server, transport } = await setUp();
  server.script = ({ response }) => json(response, 429, {}, { 'retry-after': '0' });
  const fence = (): void => {
    asked += 1;
    if (asked > 1) throw new Error('closed');
  };
  const write = runInContext({ fence }, () => outcome(transport.request({ method: 'PUT', path, body: {} })));
  expect(await write).toEqual(new Error('closed'));
  expect(server.exchanges).toHaveLength(1);
});

test('a request that waits behind busy connections ends when its work does, and is never sent', async () => {
  const { server, transport, waiting } = await setUp();
  const reads = Array.from({ length: connections }, () => transport.request({ method: 'GET', path }));
  await eventually(() => waiting.length === connections);
  const work = new AbortController();
  setMaxListeners(0, work.signal);
  const queued = runInContext({ signal: work.signal }, () =>
    outcome(transport.request({ method: 'POST', path, body: {} })),
  );
  await settled();
  work.abort(new Error('the run is over'));
  expect(await queued).toEqual(new Error('the run is over'));
  for (const { response } of waiting) json(response, 200, {});
  await Promise.all(reads);
  await settled();
  expect(server.exchanges).toHaveLength(connections);
});
