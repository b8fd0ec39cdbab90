import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { ApiServer } from '../api-server.ts';
import { configMaps } from '../conformance/fixtures.ts';
import { Session } from '../conformance/session.ts';
import { Watcher } from '../conformance/watcher.ts';

test('bookmarks tell how far a watch has come, also when nothing is told', async () => {
  await using server = await ApiServer.start({ bookmarkInterval: 20 });
  const session = new Session({ server: server.url });
  const query = 'watch=1&allowWatchBookmarks=true&resourceVersion=1&fieldSelector=metadata.name%3Dnone';
  const watcher = await Watcher.start(session, `${configMaps}?${query}`);
  const { metadata } = (await session.post(configMaps, { metadata: { name: 'a' } })).body;
  while (watcher.events.at(-1)?.object.metadata.resourceVersion !== metadata.resourceVersion) {
    await watcher.until(watcher.events.length + 1);
  }
  expect(watcher.events.at(-1)).toStrictEqual({
    type: 'BOOKMARK',
    object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: { resourceVersion: metadata.resourceVersion } },
  });
  watcher.stop();
  session.close();
});

test('a watcher that does not read is cut off when its history is gone; one that reads late misses nothing', async () => {
  await using server = await ApiServer.start({ watchHistory: 20 });
  const session = new Session({ server: server.url });
  const { hostname, port } = new URL(server.url);
  const stuck = connect(Number(port), hostname).pause();
  const closed = new Promise((resolve) => stuck.once('close', resolve));
  stuck.on('error', () => {}).write(`GET ${configMaps}?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n`);
  const watcher = await Watcher.start(session, `${configMaps}?watch=1`);
  const data = { large: 'x'.repeat(500_000) };
  await session.post(configMaps, { metadata: { name: 'a' }, data });
  for (let round = 0; round < 80; round += 1) {
    await session.merge(`${configMaps}/a`, { data: { round: `${round}` } });
  }
  await watcher.until(81);
  expect(watcher.events.map(({ object }) => object.data.round)).toStrictEqual([
    undefined,
    ...Array.from({ length: 80 }, (_, round) => `${round}`),
  ]);
  // What had been sent before is still there to be read.
  stuck.resume();
  await closed;
  watcher.stop();
  session.close();
});
