import { connect } from 'node:net';
import { configMap, newNamespace, times } from './load.mjs';
import { memoryOf } from './servers.mjs';

const listedCount = 10_000;
const listCount = 20;
const stuckCount = 50;
/** Characters of one large object and of all its changes. */
const largeLength = 900_000;
const changedLength = 200_000_000;

/** Measurements of a server with clients that read long lists and clients that never read, by name. */
export async function measureReaders({ client, pid }) {
  return { ...(await measureLists(client, pid)), ...(await measureStuck(client, pid)) };
}

/** Small requests, one after the other, while the server sends very long lists. */
async function measureLists({ send, watch }, pid) {
  const path = await newNamespace(send, 'long');
  await times(listedCount, (index) => send('POST', path, configMap(`o${index}`, 'a')));
  // Connections open first, so the lists start at the same time.
  const readAll = async () => {
    for await (const _ of await watch(path));
  };
  await Promise.all(Array.from({ length: listCount }, readAll));
  const waits = [];
  const lists = { left: listCount };
  const start = performance.now();
  const reading = Promise.all(
    Array.from({ length: listCount }, () => readAll().then(() => (lists.left -= 1))),
  );
  while (lists.left > 0) {
    const asked = performance.now();
    await send('GET', `${path}/o1`);
    waits.push(performance.now() - asked);
  }
  await reading;
  const took = performance.now() - start;
  waits.sort((a, b) => a - b);
  return {
    [`${listCount} lists of ${listedCount} at a time, ms`]: took,
    'a small GET meanwhile, median ms': waits[waits.length >> 1],
    'a small GET meanwhile, longest ms': waits.at(-1),
    'RSS then, MB': memoryOf(pid, false),
  };
}

/** Watchers that never read, while large objects change. */
async function measureStuck({ send, server }, pid) {
  const path = await newNamespace(send, 'stuck');
  const { hostname, port } = new URL(server);
  const sockets = Array.from({ length: stuckCount }, () => {
    const socket = connect(Number(port), hostname).pause();
    socket.on('error', () => {}).write(`GET ${path}?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n`);
    return socket;
  });
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
  const object = configMap('large', 'x'.repeat(largeLength));
  await send('POST', path, object);
  let largest = 0;
  for (let round = 0; round * largeLength < changedLength; round += 1) {
    await send('PUT', `${path}/large`, { ...object, data: { ...object.data, round: `${round}` } });
    largest = Math.max(largest, memoryOf(pid, false));
  }
  for (const socket of sockets) socket.destroy();
  return { [`RSS at most, ${stuckCount} watchers that never read, MB`]: largest };
}
