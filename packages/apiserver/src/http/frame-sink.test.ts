import { expect, test } from 'vitest';
import { ApiServer } from '../api-server.ts';
import { configMaps } from '../../test/support/fixtures.ts';
import { RawSocket, clientFrame, origin, upgrade } from '../../test/support/raw-socket.ts';
import { Session } from '../../test/support/session.ts';

const line = `GET ${configMaps}?watch=1`;
const headers = [...upgrade, origin];

test('a WebSocket over TLS needs credentials, too', async () => {
  await using server = await ApiServer.start({ tls: true, token: 'secret' });
  const session = new Session(server.connection);
  await session.post(configMaps, { metadata: { name: 'a' } });
  const socket = RawSocket.open(server.connection, line, headers);
  await socket.until(({ frames }) => frames.length === 1);
  expect(JSON.parse(socket.frames[0]?.text ?? '').type).toBe('ADDED');
  const { token: _, ...anonymous } = server.connection;
  const refused = RawSocket.open(anonymous, line, headers);
  await refused.until(({ body }) => body.includes('"code":403'));
  expect(refused.head).toStrictEqual(['HTTP/1.1 403 Forbidden']);
  for (const one of [socket, refused]) one.close();
  session.close();
});

test('the watch of a client that sends pings and reads nothing ends', async () => {
  await using server = await ApiServer.start({ watchHistory: 100 });
  const session = new Session(server.connection);
  const socket = RawSocket.open(server.connection, line, headers);
  await socket.until(({ head }) => head.length > 0);
  socket.pause();
  const pings = Buffer.concat(Array.from({ length: 10_000 }, () => clientFrame(0x89, 'x'.repeat(125))));
  const data = { large: 'x'.repeat(200_000) };
  for (let round = 0; round < 120; round += 1) {
    await session.post(configMaps, { metadata: { name: `o${round}` }, data });
    if (round % 20 === 0) socket.send(pings);
  }
  socket.resume();
  await socket.until(({ isOver }) => isOver);
  const kinds = socket.frames.map(({ kind }) => kind);
  expect(kinds.at(-1)).toBe('88');
  expect(kinds.filter((kind) => kind === '81').length).toBeLessThan(120);
  // The server did not answer every ping that arrived while the client did not read.
  expect(kinds.filter((kind) => kind === '8a').length).toBeLessThan(6 * 10_000);
  session.close();
});
