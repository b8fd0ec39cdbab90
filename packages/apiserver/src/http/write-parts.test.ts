import { randomBytes } from 'node:crypto';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ApiServer } from '../api-server.ts';
import { configMaps } from '../../test/support/fixtures.ts';
import { Session } from '../../test/support/session.ts';
import { writeParts } from './write-parts.ts';

const objects = 400;

async function fill(session: Session): Promise<void> {
  for (let from = 0; from < objects; from += 100) {
    const names = Array.from({ length: 100 }, (_, index) => `o${from + index}`);
    const data = { text: 'x'.repeat(5000) };
    await Promise.all(names.map((name) => session.post(configMaps, { metadata: { name }, data })));
  }
}

test('small requests are answered while long lists are written, and each list shows one snapshot', async () => {
  await using server = await ApiServer.start();
  const session = new Session({ server: server.url });
  await fill(session);
  const done: string[] = [];
  const table = 'application/json;as=Table;v=v1;g=meta.k8s.io';
  const partial = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
  const accepts = ['application/json', table, partial, 'application/json', table, 'application/json'];
  const lists = accepts.map(async (accept) => {
    const { body } = await session.send('GET', configMaps, { accept });
    done.push('list');
    return body;
  });
  const small = session.merge(`${configMaps}/o7`, { data: { text: 'new' } }).then(() => done.push('small'));
  const bodies = await Promise.all(lists);
  await small;
  expect(done[0]).toBe('small');
  for (const { metadata, items, rows } of bodies) {
    expect((items ?? rows).length).toBe(objects);
    const seven = (items ?? []).find(({ metadata: { name } }: any) => name === 'o7');
    if (seven?.data)
      expect(seven.data.text === 'new').toBe(metadata.resourceVersion === seven.metadata.resourceVersion);
  }
  session.close();
});

test('a long list is compressed for clients that accept it', async () => {
  await using server = await ApiServer.start();
  const session = new Session({ server: server.url });
  await fill(session);
  const response = await session.open('GET', configMaps, { headers: { 'accept-encoding': 'gzip' } });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  expect(response.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
  const plain = await session.get(configMaps);
  expect(JSON.parse(gunzipSync(Buffer.concat(chunks)).toString())).toStrictEqual(plain.body);
  session.close();
});

test.each([false, true])(
  'a client that does not read holds one slice; all is freed when it goes: packed %s',
  async (isPacked) => {
    const texts = { made: 0 };
    let freed = () => {};
    const isFreed = new Promise<void>((resolve) => (freed = resolve));
    function* endless(): Generator<string> {
      try {
        for (;;) {
          texts.made += 1;
          // It does not compress well.
          yield randomBytes(4096).toString('base64');
        }
      } finally {
        freed();
      }
    }
    const server = createServer((_, response) => {
      response.writeHead(200);
      void writeParts(response, '', endless(), isPacked);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const outgoing = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' });
    outgoing.on('error', () => {});
    outgoing.on('response', (response) => response.pause());
    // Write until the connection accepts no more.
    let last = -1;
    while (texts.made === 0 || texts.made !== last) {
      last = texts.made;
      for (let turn = 0; turn < 200; turn += 1) await setImmediate();
    }
    expect(texts.made).toBeLessThan(10_000);
    outgoing.destroy();
    await isFreed;
    server.close();
  },
);
