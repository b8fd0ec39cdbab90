import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { ApiServer } from '../api-server.ts';
import { configMaps } from '../../test/support/fixtures.ts';
import { Session } from '../../test/support/session.ts';
import { Watcher } from '../../test/support/watcher.ts';

test('bookmarks report the position of a watch, even without events', async () => {
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

test('the watch of a client that does not read ends, and the client can resume; one that reads late misses nothing', async () => {
  await using server = await ApiServer.start({ watchHistory: 200 });
  const session = new Session({ server: server.url });
  const { hostname, port } = new URL(server.url);
  const stuck = connect(Number(port), hostname).pause();
  stuck.setEncoding('utf8').write(`GET ${configMaps}?watch=1 HTTP/1.1\r\nHost: x\r\n\r\n`);
  const watcher = await Watcher.start(session, `${configMaps}?watch=1`);
  const data = { large: 'x'.repeat(100_000) };
  await session.post(configMaps, { metadata: { name: 'a' }, data });
  const rounds = Array.from({ length: 150 }, (_, round) => `${round}`);
  for (const round of rounds) await session.merge(`${configMaps}/a`, { data: { round } });
  await watcher.until(1 + rounds.length);
  const told = watcher.events.map(({ object }) => object.data.round);
  expect(told).toStrictEqual([undefined, ...rounds]);
  // Events sent before are still readable, up to a proper end.
  let text = '';
  for await (const chunk of stuck) {
    text += chunk;
    if (text.endsWith('\r\n0\r\n\r\n')) break;
  }
  const revisions = Array.from(text.matchAll(/"resourceVersion":"(\d+)"/g), ([, revision]) => revision);
  expect(revisions.length).toBeLessThan(rounds.length);
  const resumed = await Watcher.start(session, `${configMaps}?watch=1&resourceVersion=${revisions.at(-1)}`);
  await resumed.until(1 + rounds.length - revisions.length);
  expect(resumed.events.map(({ object }) => object.data.round)).toStrictEqual(told.slice(revisions.length));
  for (const one of [watcher, resumed]) one.stop();
  session.close();
});
