import { fnv64 } from 'ots-apimachinery/fnv64';
import { beforeAll, expect, test } from 'vitest';
import { onEachServer } from '../../support/on-each-server.ts';
import { Watcher } from '../../support/watcher.ts';

const path = '/api/v1/namespaces/shards/configmaps';
const range = (start: string, end: string, field = 'uid'): string =>
  `shardRange(object.metadata.${field}, '0x${start}', '0x${end}')`;
const firstHalf = range('0000000000000000', '8000000000000000');
const secondHalf = range('8000000000000000', '10000000000000000');
const query = (selector: string): string => `?shardSelector=${encodeURIComponent(selector)}`;
const names = ({ items }: any): string[] => items.map(({ metadata }: any) => metadata.name);

onEachServer('shard selectors', { enableFeatureGates: ['ShardedListAndWatch'] }, (server) => {
  beforeAll(async () => {
    await server.session.post('/api/v1/namespaces', { metadata: { name: 'shards' } });
    for (let index = 0; index < 20; index += 1)
      await server.session.post(path, { metadata: { name: `c${index}` } });
  });

  test('a list has the objects whose hashes are in the ranges, and repeats the selector', async () => {
    const all = (await server.session.get(path)).body;
    expect(all.metadata.shardInfo).toBeUndefined();
    for (const [selector, isFirst] of [
      [firstHalf, true],
      [secondHalf, false],
    ] as const) {
      const { body } = await server.session.get(path + query(selector));
      const expected = all.items.filter(
        ({ metadata }: any) => fnv64(metadata.uid).high < 0x80000000 === isFirst,
      );
      expect(names(body)).toStrictEqual(names({ items: expected }));
      expect(body.metadata.shardInfo).toStrictEqual({ selector });
    }
  });

  test('ranges are joined, and spaces do not matter', async () => {
    const selector = `${firstHalf}||${secondHalf}`.replaceAll(', ', ',');
    const { body } = await server.session.get(path + query(selector));
    expect(body.items).toHaveLength(20);
    expect(body.metadata.shardInfo).toStrictEqual({ selector: `${firstHalf} || ${secondHalf}` });
  });

  test('pages and lists of metadata are selected, too', async () => {
    const { body } = await server.session.get(`${path}${query(firstHalf)}&limit=1`);
    expect(body.items).toHaveLength(1);
    expect(body.metadata.shardInfo).toStrictEqual({ selector: firstHalf });
    // The count of all objects from the beginning of the page, whether they are selected or not, without those in the page.
    expect(body.metadata.remainingItemCount).toBe(19);
    const next = `&limit=1&continue=${body.metadata.continue}`;
    const { metadata } = (await server.session.get(`${path}${query(firstHalf)}${next}`)).body;
    const all = names((await server.session.get(path)).body);
    expect(metadata.remainingItemCount).toBe(18 - all.indexOf(names(body)[0]!));
    const partial = await server.session.send('GET', path + query(firstHalf), {
      accept: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1',
    });
    // The list does not say so.
    expect(partial.body.metadata.shardInfo).toBeUndefined();
    const whole = await server.session.get(path + query(firstHalf));
    expect(names(partial.body)).toStrictEqual(names(whole.body));
  });

  test('a watch delivers only changes in the ranges', async () => {
    const { body } = await server.session.get(path + query(secondHalf));
    const { resourceVersion } = body.metadata;
    const from = `&watch=true&resourceVersion=${resourceVersion}`;
    const watcher = await Watcher.start(server.session, path + query(secondHalf) + from);
    const all = (await server.session.get(path)).body;
    for (const name of names(all)) await server.session.merge(`${path}/${name}`, { data: { a: '1' } });
    const events = await watcher.until(names(body).length);
    expect(events.map(({ object }) => object.metadata.name)).toStrictEqual(
      names(all).filter((name) => names(body).includes(name)),
    );
  });

  test.each([
    [
      'the start is the end',
      range('0000000000000000', '0000000000000000'),
      'shard range start 0x0000000000000000 must be less than end 0x0000000000000000',
    ],
    [
      'the start is after the end',
      range('8000000000000000', '4000000000000000'),
      'shard range start 0x8000000000000000 must be less than end 0x4000000000000000',
    ],
    [
      'digits are missing',
      range('0', '8'),
      'hexStart must be a 0x-prefixed 16-digit hex value, got "0x0" (did you mean "0x0000000000000000"?)',
    ],
    [
      'the fields differ',
      `${firstHalf} || ${range('0000000000000000', '8000000000000000', 'namespace')}`,
      'all shard ranges must use the same field, got "object.metadata.uid" and "object.metadata.namespace"',
    ],
    [
      'it is something else',
      'nonsense',
      'unexpected expression kind 3; expected shardRange() call or || operator',
    ],
  ])('a selector is refused if %s', async (_, selector, message) => {
    const { code, body } = await server.session.get(path + query(selector));
    expect(code).toBe(500);
    expect(body.message).toBe(`invalid shard selector: ${message}`);
  });
});

onEachServer('shard selectors without the gate', (server) => {
  test('are ignored', async () => {
    const { code, body } = await server.session.get(
      `/api/v1/namespaces${query(range('0000000000000000', '0000000000000001'))}`,
    );
    expect(code).toBe(200);
    expect(body.items.length).toBeGreaterThan(1);
    expect(body.metadata.shardInfo).toBeUndefined();
  });
});
