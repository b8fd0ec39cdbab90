import type { Readable } from 'node:stream';
import { afterEach, expect, test } from 'vitest';
import { channelContent } from '../../test/support/channel-content.ts';
import { RawSocket, clientFrame, upgrade } from '../../test/support/raw-socket.ts';
import { scriptedKubelet } from '../../test/support/scripted-kubelet.ts';
import { Session } from '../../test/support/session.ts';
import { ApiServer } from '../api-server.ts';
import type { ApiServerOptions } from '../api-server-options.ts';
import type { ContainerStreams, PodStreams } from '../pods/pod-streams.ts';

const pods = '/api/v1/namespaces/default/pods';
const sockets: RawSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
});

/** A server with a pod `a` on a node. */
async function setUp(streams: Partial<PodStreams>, options: ApiServerOptions = {}) {
  const server = await ApiServer.start({ ...options, podStreams: { ...scriptedKubelet, ...streams } });
  const session = new Session(server.connection);
  const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
  await session.post(pods, { metadata: { name: 'a' }, spec });
  const open = async (query: string, protocol = 'v5.channel.k8s.io') => {
    const headers = [...upgrade, `Sec-WebSocket-Protocol: ${protocol}`];
    const socket = RawSocket.open(server.connection, `GET ${pods}/a/${query}`, headers);
    sockets.push(socket);
    return socket.until(({ head, isOver }) => head.length > 0 || isOver);
  };
  const stop = async () => {
    session.close();
    await server.stop();
  };
  return { server, session, open, [Symbol.asyncDispose]: stop };
}

/** A promise that a test resolves. */
function event() {
  let happen = () => {};
  const promise = new Promise<void>((resolve) => (happen = resolve));
  return { promise, happen: () => happen() };
}

/** A command that ends when its client is gone. */
function waiting() {
  const [begun, aborted] = [event(), event()];
  const exec: PodStreams['exec'] =
    () =>
    async ({ signal, stdin, stdout }) => {
      signal.addEventListener('abort', () => aborted.happen());
      begun.happen();
      for await (const _ of stdin ?? []);
      await aborted.promise;
      await stdout.write('dropped');
      return 0;
    };
  return { begun: begun.promise, aborted: aborted.promise, exec };
}

test('a command learns that its client is gone', async () => {
  const { begun, aborted, exec } = waiting();
  await using world = await setUp({ exec });
  const socket = await world.open('exec?command=x&stdin=1&stdout=1');
  await begun;
  socket.close();
  await expect(aborted).resolves.toBeUndefined();
});

test('a server that stops ends its connections', async () => {
  const { begun, aborted, exec } = waiting();
  const world = await setUp({ exec });
  const socket = await world.open('exec?command=x&stdin=1&stdout=1');
  await begun;
  await world[Symbol.asyncDispose]();
  await expect(aborted).resolves.toBeUndefined();
  await socket.until(({ isOver }) => isOver);
});

test('a command that writes more than its client reads has to wait', async () => {
  const limit = 64 * 1024 * 1024;
  const state = { written: 0, isOver: false };
  await using world = await setUp({
    exec:
      () =>
      async ({ stdout }) => {
        const chunk = Buffer.alloc(64 * 1024);
        for (; !state.isOver && state.written < limit; state.written += chunk.length)
          await stdout.write(chunk);
        return 0;
      },
  });
  const socket = await world.open('exec?command=x&stdout=1');
  socket.pause();
  for (let before = -1; before !== state.written;) {
    before = state.written;
    for (let round = 0; round < 20; round += 1) await world.session.get(`${pods}/a`);
  }
  expect(state.written).toBeGreaterThan(0);
  expect(state.written).toBeLessThan(limit);
  state.isOver = true;
  socket.resume();
  await socket.until(({ frames }) => frames.at(-1)?.kind === '88');
});

test('what a client sends to a command that does not read stays with the client', async () => {
  const release = event();
  let held: ContainerStreams['stdin'];
  await using world = await setUp({
    exec:
      () =>
      async ({ stdin, stdout }) => {
        held = stdin;
        await release.promise;
        let bytes = 0;
        for await (const part of stdin ?? []) bytes += part.length;
        await stdout.write(`${bytes}`);
        return 0;
      },
  });
  const socket = await world.open('exec?command=x&stdin=1&stdout=1');
  await socket.until(({ frames }) => frames.length === 1);
  const message = clientFrame(0x82, `\0${'x'.repeat(1_000_000)}`);
  for (let count = 0; count < 10; count += 1) socket.send(message);
  const heldBytes = () => (held as unknown as Readable).readableLength;
  while (heldBytes() === 0) await world.session.get(`${pods}/a`);
  for (let round = 0; round < 50; round += 1) await world.session.get(`${pods}/a`);
  expect(heldBytes()).toBeLessThan(1_000_000);
  release.happen();
  socket.send(clientFrame(0x82, Buffer.from([255, 0])));
  await socket.until(({ frames }) => frames.at(-1)?.kind === '88');
  expect(socket.frames.map(({ text }) => text)).toContain('\u000110000000');
});

const success = '{"metadata":{},"status":"Success"}';
const close = (code: number) => ({ kind: '88', text: `${code}` });
const endOfInput = clientFrame(0x82, Buffer.from([255, 0]));

test.each([
  [
    'a message in fragments',
    [
      clientFrame(0x02, '\0ab'),
      clientFrame(0x00, ''),
      clientFrame(0x89, 'hi'),
      clientFrame(0x80, 'cd'),
      endOfInput,
    ],
    { '82 1': 'abcd', '82 3': success },
    [{ kind: '8a', text: 'hi' }, close(1000)],
  ],
  [
    'messages to channels that do not exist',
    [clientFrame(0x82, '\u0009a'), clientFrame(0x82, '\u0001a'), clientFrame(0x82, ''), endOfInput],
    { '82 1': '', '82 3': success },
    [close(1000)],
  ],
  [
    'the end of a channel that does not exist',
    [clientFrame(0x82, Buffer.from([255, 9]))],
    { '82 1': '' },
    [close(1000)],
  ],
  [
    'the end of two channels at once',
    [clientFrame(0x82, Buffer.from([255, 0, 1]))],
    { '82 1': '' },
    [close(1000)],
  ],
  [
    'a frame that is not masked',
    [clientFrame(0x82, '\0a', { isMasked: false })],
    { '82 1': '' },
    [close(1002), close(1000)],
  ],
  ['a continuation of nothing', [clientFrame(0x80, '\0a')], { '82 1': '' }, [close(1002), close(1000)]],
  [
    'a message within another',
    [clientFrame(0x02, '\0'), clientFrame(0x82, '\0')],
    { '82 1': '' },
    [close(1002), close(1000)],
  ],
  ['an unknown opcode', [clientFrame(0x83, '\0a')], { '82 1': '' }, [close(1002), close(1000)]],
  ['a frame that is too long', [clientFrame(0x82, '\0', { length: 2 ** 40 })], { '82 1': '' }, [close(1000)]],
])('a client sends %s', async (_, sent, channels, control) => {
  await using world = await setUp({});
  const socket = await world.open('exec?command=cat&stdin=1&stdout=1');
  for (const byte of Buffer.concat(sent)) socket.send(Buffer.from([byte]));
  await socket.until(
    ({ frames, isOver }) => isOver || channelContent(frames).control.length === control.length,
  );
  expect(channelContent(socket.frames)).toStrictEqual({ channels, control });
});

test('ports of a WebSocket have two channels each, which begin with the port', async () => {
  await using world = await setUp({});
  const socket = await world.open('portforward?ports=80&ports=81', 'v4.channel.k8s.io');
  socket.send(clientFrame(0x82, '\0hello'));
  await socket.until(({ frames }) => frames.length === 6);
  const { uid } = (await world.session.get(`${pods}/a`)).body.metadata;
  expect(socket.frames.map(({ text }) => text).toSorted()).toStrictEqual([
    '\0P\0',
    '\0hello',
    '\u0001P\0',
    '\u0002Q\0',
    '\u0003Q\0',
    `\u0003error forwarding port 81 to pod a, uid ${uid}: connection refused`,
  ]);
  const refused = await world.open('portforward', 'v4.channel.k8s.io');
  await refused.until(({ isOver }) => isOver);
  expect([refused.head[0], refused.body]).toStrictEqual([
    'HTTP/1.1 400 Bad Request',
    'query parameter "port" is required',
  ]);
});

test('connections are recorded when they begin or are refused', async () => {
  const recorded: string[] = [];
  await using world = await setUp(
    {},
    {
      onRequest: ({ verb, resource, subresource, name, code }) =>
        recorded.push(`${verb} ${resource}/${subresource} ${name} ${code}`),
    },
  );
  const socket = await world.open('exec?command=exit&command=0&stdout=1');
  await socket.until(({ frames }) => frames.at(-1)?.kind === '88');
  await (await world.open('exec?command=x&container=missing')).until(({ isOver }) => isOver);
  await (await world.open('attach?stdout=1', 'unknown')).until(({ isOver }) => isOver);
  expect(recorded.filter((line) => !line.startsWith('create'))).toStrictEqual([
    'get pods/exec a 101',
    'get pods/exec a 400',
    'get pods/attach a 403',
  ]);
});

test('a request without a network cannot become a connection', async () => {
  await using world = await setUp({});
  const { status, body } = await world.server.exchange({
    method: 'GET',
    path: `${pods}/a/exec?command=ls&stdout=1`,
    headers: { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-protocol': 'v5.channel.k8s.io' },
  });
  let text = '';
  for await (const part of body) text += String(part);
  expect([status, JSON.parse(text).message]).toStrictEqual([400, 'Upgrade request required']);
});
