import { afterEach, beforeAll, expect, test } from 'vitest';
import { onEachServer } from '../../support/on-each-server.ts';
import { type Frame, RawSocket, clientFrame, origin, upgrade } from '../../support/raw-socket.ts';

const accepted = [
  'HTTP/1.1 101 Switching Protocols',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=',
];
const close = { kind: '88', text: '1000' };

onEachServer('watches over WebSockets', (server) => {
  const path = '/api/v1/namespaces/sockets/configmaps';
  const sockets: RawSocket[] = [];
  beforeAll(async () => {
    await server.session.post('/api/v1/namespaces', { metadata: { name: 'sockets' } });
    await server.session.post(path, { metadata: { name: 'a' }, data: { text: 'ä'.repeat(40_000) } });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });

  const open = (query: string, headers: readonly string[], target = path) => {
    const socket = RawSocket.open(server.environment.config, `GET ${target}?${query}`, headers);
    sockets.push(socket);
    return socket;
  };
  const watch = (query = '', ...headers: string[]) =>
    open(`watch=1&${query}`, [...upgrade, origin, ...headers]);
  const eventsOf = (frames: readonly Frame[]) =>
    frames.map(({ kind, text }) => {
      if (kind !== '81') return `${kind} ${text}`;
      const { type, object } = JSON.parse(text);
      return `${kind} ${type} ${object.metadata.name} ${text.endsWith('}\n')}`;
    });

  test('every event is a text message', async () => {
    const socket = watch('labelSelector=!short');
    await socket.until(({ frames }) => frames.length === 1);
    await server.session.post(path, { metadata: { name: 'b' } });
    await server.session.delete(`${path}/b`);
    await socket.until(({ frames }) => frames.length === 3);
    expect(socket.head).toStrictEqual(accepted);
    expect(eventsOf(socket.frames)).toStrictEqual([
      '81 ADDED a true',
      '81 ADDED b true',
      '81 DELETED b true',
    ]);
    expect(JSON.parse(socket.frames[0]?.text ?? '').object.data.text).toBe('ä'.repeat(40_000));
  });

  test('the first subprotocol is accepted, and extensions are not', async () => {
    const protocol = 'Sec-WebSocket-Protocol: base64.binary.k8s.io';
    const socket = watch('', protocol, 'Sec-WebSocket-Extensions: permessage-deflate');
    await socket.until(({ frames }) => frames.length === 1);
    expect(socket.head).toStrictEqual([...accepted, protocol]);
    expect(eventsOf(socket.frames)).toStrictEqual(['81 ADDED a true']);
  });

  test('other media types, and the legacy path', async () => {
    const table = watch('', 'Accept: application/json;as=Table;v=v1;g=meta.k8s.io');
    await table.until(({ frames }) => frames.length === 1);
    expect(JSON.parse(table.frames[0]?.text ?? '').object.kind).toBe('Table');
    const old = open('', [...upgrade, origin], '/api/v1/watch/namespaces/sockets/configmaps');
    await old.until(({ frames }) => frames.length === 1);
    expect(eventsOf(old.frames)).toStrictEqual(['81 ADDED a true']);
  });

  test('the timeout ends the connection', async () => {
    const socket = await watch('timeoutSeconds=1').until(({ isOver }) => isOver);
    expect(eventsOf(socket.frames)).toStrictEqual(['81 ADDED a true', '88 1000']);
  });

  test.each([
    [
      'a ping, and a close',
      [clientFrame(0x89, 'hi'), clientFrame(0x88, '\u0003(')],
      [{ kind: '8a', text: 'hi' }, close],
    ],
    [
      'a ping of more than a control frame holds',
      [clientFrame(0x89, 'h'.repeat(126)), clientFrame(0x88, '')],
      [{ kind: '8a', text: 'h'.repeat(125) }, close],
    ],
    [
      'messages',
      [
        clientFrame(0x81, 'hi'),
        clientFrame(0x82, 'x'.repeat(70_000)),
        clientFrame(0x89, 'still'),
        clientFrame(0x88, ''),
      ],
      [{ kind: '8a', text: 'still' }, close],
    ],
    [
      'a frame that is not masked',
      [clientFrame(0x81, 'hi', { isMasked: false })],
      [{ kind: '88', text: '1002' }, close],
    ],
    ['a frame that is too long', [clientFrame(0x81, '', { length: 40_000_000 })], [close]],
    ['a frame that is far too long', [clientFrame(0x81, '', { length: 2 ** 40 })], [close]],
  ])('a client sends %s', async (_, sent, answered) => {
    const socket = watch();
    await socket.until(({ frames }) => frames.length === 1);
    for (const byte of Buffer.concat(sent.slice(0, 1)).subarray(0, 300)) socket.send(Buffer.from([byte]));
    for (const frame of sent.slice(1)) socket.send(frame);
    await socket.until(({ isOver }) => isOver);
    expect(socket.frames.slice(1)).toStrictEqual(answered);
  });

  test.each([
    ['no origin', upgrade, ['HTTP/1.1 403 Forbidden'], ''],
    ['an origin that is not one', [...upgrade, 'Origin: null'], ['HTTP/1.1 403 Forbidden'], ''],
    ['no key', [...upgrade.slice(0, 3), origin], ['HTTP/1.1 400 Bad Request'], 'mismatch challenge/response'],
    [
      'an old version',
      [...upgrade.slice(0, 2), 'Sec-WebSocket-Version: 8', ...upgrade.slice(3), origin],
      ['HTTP/1.1 400 Bad Request', 'Sec-WebSocket-Version: 13'],
      'missing or bad WebSocket Version',
    ],
    [
      'several subprotocols',
      [...upgrade, origin, 'Sec-WebSocket-Protocol: binary.k8s.io, base64.binary.k8s.io'],
      ['HTTP/1.1 400 Bad Request'],
      '',
    ],
  ])('a handshake with %s is refused', async (_, headers, head, body) => {
    const socket = await open('watch=1', headers).until(({ isOver }) => isOver);
    expect([socket.head, socket.body]).toStrictEqual([head, body]);
  });

  test.each([
    ['a list', 'limit=1', path, 'HTTP/1.1 200 OK', 'ConfigMapList'],
    ['an object', 'watch=1', `${path}/a`, 'HTTP/1.1 200 OK', 'ConfigMap'],
    [
      'a watch that is refused',
      'watch=1&resourceVersion=x',
      path,
      'HTTP/1.1 500 Internal Server Error',
      'Status',
    ],
  ])('%s is answered as if no WebSocket was asked for', async (_, query, target, head, kind) => {
    const socket = open(query, [...upgrade, origin], target);
    await socket.until(({ body }) => body.includes(`"kind":"${kind}"`));
    expect(socket.head).toStrictEqual([head]);
  });

  test('requests with an upgrade to HTTP/2 are read with their bodies', async () => {
    const headers = [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAAQAAP__',
    ];
    const object = JSON.stringify({
      metadata: { name: 'h2c', labels: { short: '' } },
      data: { text: 'x'.repeat(200_000) },
    });
    const socket = RawSocket.open(server.environment.config, `POST ${path}`, [
      ...headers,
      'Content-Type: application/json',
      `Content-Length: ${object.length}`,
    ]);
    sockets.push(socket);
    socket.send(object);
    await socket.until(({ body }) => body.includes('"uid"'));
    expect(socket.head).toStrictEqual(['HTTP/1.1 201 Created']);
    expect((await server.session.delete(`${path}/h2c`)).code).toBe(200);
  });
});
