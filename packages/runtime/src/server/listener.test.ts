import { Agent, createServer, get } from 'node:http';
import { connect } from 'node:net';
import type { RequestListener, Server } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { expectNothingOpen } from '../../test/open-resources.ts';
import { Listener } from './listener.ts';
import { serverLimits } from './server-limits.ts';

const open: Listener[] = [];
afterEach(() => {
  for (const listener of open.splice(0)) listener.closeNow();
});

async function listen(
  answer: RequestListener = (_, response) => void response.end('ok'),
  port = 0,
  host = '127.0.0.1',
): Promise<{ listener: Listener; server: Server }> {
  const server = createServer(serverLimits, answer);
  const listener = new Listener('tests', server, { port, host });
  open.push(listener);
  await listener.open();
  return { listener, server };
}

function fetchText(
  port: number | undefined,
  agent: Agent | false = false,
): Promise<{ text: string; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent }, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({ text, connection: response.headers.connection }));
      response.on('error', reject);
    }).on('error', reject);
  });
}

test('any free port is found, and is free again after closing', async () => {
  await expectNothingOpen();
  const { listener } = await listen();
  const { port } = listener;
  expect(port).toBeGreaterThan(0);
  expect((await fetchText(port)).text).toBe('ok');
  await listener.close();
  expect(listener.port).toBeUndefined();
  await expect(fetchText(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await expectNothingOpen();
  await listen(undefined, port);
});

test('a port that is in use and a host that is not ours are errors that say so', async () => {
  const { listener } = await listen();
  await expect(listen(undefined, listener.port)).rejects.toMatchObject({
    code: 'CANNOT_LISTEN',
    message: `127.0.0.1:${listener.port} for tests is in use`,
    hint: 'Stop the other process, or choose another port.',
  });
  await expect(listen(undefined, 0, '192.0.2.1')).rejects.toMatchObject({
    code: 'CANNOT_LISTEN',
    message: expect.stringContaining('Cannot listen on 192.0.2.1:0 for tests'),
  });
});

test('closing waits for the requests in progress, accepts no more, and keeps no connection alive', async () => {
  let finish: (() => void) | undefined;
  const { listener } = await listen((request, response) => {
    if (request.url === '/') finish = () => response.end('late');
  });
  const { port } = listener;
  const agent = new Agent({ keepAlive: true });
  const answer = fetchText(port, agent);
  await eventually(() => finish !== undefined);
  let closed = false;
  const closing = listener.close().then(() => (closed = true));
  await expect(fetchText(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(closed).toBe(false);
  finish!();
  expect((await answer).text).toBe('late');
  await closing;
  agent.destroy();
});

test('a kept-alive connection ends with the request in progress', async () => {
  const answers: (() => void)[] = [];
  const { listener } = await listen((_, response) => void answers.push(() => response.end('ok')));
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const first = fetchText(listener.port, agent);
  // It waits for the only connection.
  const second = fetchText(listener.port, agent);
  second.catch(() => {});
  await eventually(() => answers.length === 1);
  const closing = listener.close();
  answers[0]!();
  await first;
  await expect(second).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  await closing;
  agent.destroy();
});

test('closing now aborts requests in progress and connections that have sent nothing', async () => {
  let asked = false;
  const { listener } = await listen(() => void (asked = true));
  const answer = fetchText(listener.port);
  answer.catch(() => {});
  let ended = false;
  connect(listener.port!, '127.0.0.1').on('close', () => (ended = true));
  await eventually(() => asked);
  const closing = listener.close();
  listener.closeNow();
  await expect(answer).rejects.toMatchObject({ code: 'ECONNRESET' });
  await closing;
  await eventually(() => ended);
});

test('slow senders are cut off, and Go clients are not raced for idle connections', async () => {
  const { server } = await listen();
  // Go's client keeps connections for 90 s, those that it has not used yet among them.
  for (const timeout of [server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]) {
    expect(timeout).toBe(120_000);
  }
});

test('connections that have not sent a request yet do not delay closing', async () => {
  const { listener } = await listen();
  let ended = false;
  const idle = connect(listener.port!, '127.0.0.1').on('close', () => (ended = true));
  await new Promise((resolve) => idle.once('connect', resolve));
  await fetchText(listener.port);
  await listener.close();
  await eventually(() => ended);
  expect(ended).toBe(true);
});

test('a connection that cannot be accepted does not affect others', async () => {
  const { listener, server } = await listen();
  server.emit('error', Object.assign(new Error('accept ENOBUFS'), { code: 'ENOBUFS' }));
  expect((await fetchText(listener.port)).text).toBe('ok');
});

test('closing twice, or what never opened, is fine', async () => {
  const { listener } = await listen();
  await Promise.all([listener.close(), listener.close()]);
  const never = new Listener('tests', createServer(), { port: 0 });
  await never.close();
  never.closeNow();
  expect([listener.port, never.port]).toEqual([undefined, undefined]);
});
