import { type FaultAnswer, ApiServer } from 'ots-apiserver';
import { expect, onTestFinished, test } from 'vitest';
import { configMaps, until } from '../../test/support/fixtures.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { Session } from '../../test/support/session.ts';
import { Watcher } from '../../test/support/watcher.ts';
import type { FaultedRequest } from './fault.ts';

async function start(): Promise<{ server: ApiServer; session: Session; clock: ManualClock }> {
  const clock = new ManualClock();
  const server = await ApiServer.start({ clock, controllers: false });
  const session = new Session({ server: server.url });
  onTestFinished(async () => {
    session.close();
    await server.stop();
  });
  return { server, session, clock };
}

const on =
  (...verbs: string[]) =>
  ({ verb, resource }: FaultedRequest) =>
    resource === 'configmaps' && verbs.includes(verb);

const create = (session: Session, name: string) => session.post(configMaps, { metadata: { name } });
const codeOf = async (session: Session, name: string) => (await session.get(`${configMaps}/${name}`)).code;
const watch = (session: Session, version = '') =>
  Watcher.start(session, `${configMaps}?watch=1&resourceVersion=${version}`);

test.each<[FaultAnswer, number, unknown]>([
  [
    'Conflict',
    409,
    {
      reason: 'Conflict',
      message:
        'Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again',
    },
  ],
  ['Expired', 410, { reason: 'Expired' }],
  ['InternalError', 500, { status: 'Failure', message: 'etcdserver: request timed out' }],
  ['ServiceUnavailable', 503, 'service unavailable\n'],
  ['Timeout', 504, expect.stringContaining('did not complete within the allotted timeout')],
  ['TooManyRequests', 429, 'Too many requests, please try again later.\n'],
])('%s is answered as often as asked, and changes nothing', async (answer, code, body) => {
  const { server, session } = await start();
  await create(session, 'a');
  const fault = server.faults.add({ selects: on('update'), times: 1 }, { answer });
  const put = () => session.put(`${configMaps}/a`, { metadata: { name: 'a' }, data: { x: 'y' } });
  const refused = await put();
  expect(refused.code).toBe(code);
  if (typeof body === 'string') expect(refused.body).toBe(body);
  else expect(refused.body).toMatchObject(body as object);
  expect(refused.headers['retry-after']).toBe(answer === 'TooManyRequests' ? '1' : undefined);
  expect((await session.get(`${configMaps}/a`)).body.data).toBeUndefined();
  expect((await put()).code).toBe(200);
  expect(fault.hits).toBe(1);
});

test('a fault changes the requests of this process, too, until it is removed', async () => {
  const { server, session } = await start();
  const exchange = async () =>
    (await server.exchange({ method: 'GET', path: configMaps, headers: {} })).status;
  {
    using fault = server.faults.add(
      { selects: on('list') },
      { answer: 'ServiceUnavailable', retryAfterSeconds: 5 },
    );
    expect(await exchange()).toBe(503);
    expect((await session.get(configMaps)).headers['retry-after']).toBe('5');
    expect(fault.hits).toBe(2);
  }
  expect(await exchange()).toBe(200);
});

test('a lost answer says nothing about the write', async () => {
  const { server, session, clock } = await start();
  const lose = (at: 'before' | 'after') =>
    server.faults.add({ selects: on('create'), times: 1 }, { disconnect: at });
  lose('before');
  await expect(create(session, 'a')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(await codeOf(session, 'a')).toBe(404);
  lose('after');
  await expect(create(session, 'a')).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(await codeOf(session, 'a')).toBe(200);
  for (const [name, timeout, code] of [
    ['b', 'before', 404],
    ['c', 'after', 200],
  ] as const) {
    const fault = server.faults.add({ selects: on('create') }, { timeout });
    const answer = create(session, name);
    await until(() => Promise.resolve(fault.hits === 1 && clock.waiting(60_000)));
    clock.advance(60_000);
    expect((await answer).code).toBe(504);
    expect(await codeOf(session, name)).toBe(code);
    fault.remove();
  }
});

test('latency is time of the clock, and ends with the fault', async () => {
  const { server, session, clock } = await start();
  const fault = server.faults.add({ selects: on('create') }, { latencyMs: 200 });
  const first = create(session, 'a');
  await until(() => Promise.resolve(fault.hits === 1));
  clock.advance(199);
  expect(await codeOf(session, 'a')).toBe(404);
  clock.advance(1);
  expect((await first).code).toBe(201);
  const second = create(session, 'b');
  await until(() => Promise.resolve(fault.hits === 2));
  server.faults.clear();
  expect((await second).code).toBe(201);
});

test('stale reads show the state of before to clients that accept any state', async () => {
  const { server, session, clock } = await start();
  await create(session, 'old');
  const fault = server.faults.add({ selects: on('list', 'get') }, { stale: true });
  const { body: created } = await create(session, 'new');
  await session.delete(`${configMaps}/old`);
  const names = async (query: string) =>
    (await session.get(`${configMaps}?${query}`)).body.items.map(({ metadata }: any) => metadata.name);
  expect(await names('resourceVersion=0')).toEqual(['old']);
  expect(await names('')).toEqual(['new']);
  expect((await session.get(`${configMaps}/new?resourceVersion=0`)).code).toBe(404);
  expect((await session.get(`${configMaps}/old?resourceVersion=0`)).code).toBe(200);
  const tooNew = session.get(`${configMaps}?resourceVersion=${created.metadata.resourceVersion}`);
  await until(() => Promise.resolve(clock.waiting(3000)));
  clock.advance(3000);
  expect((await tooNew).body.message).toContain('Too large resource version');
  session.close();
  await server.restart();
  expect(await names('resourceVersion=0')).toEqual(['new']);
  expect(fault.hits).toBe(5);
});

test('behind a watch cache that lags, a client lists the past, and its watch goes on when the cache has caught up', async () => {
  const { server, session } = await start();
  await create(session, 'old');
  server.faults.add({ selects: on('list') }, { stale: true });
  const late = server.faults.add({ selects: on('watch') }, { watch: 'delay', milliseconds: 3_600_000 });
  await create(session, 'new');
  await session.delete(`${configMaps}/old`);
  const { items, metadata } = (await session.get(`${configMaps}?resourceVersion=0`)).body;
  expect(items.map((item: any) => item.metadata.name)).toEqual(['old']);
  const watcher = await watch(session, metadata.resourceVersion);
  await create(session, 'last');
  expect(watcher.events).toEqual([]);
  late.remove();
  await watcher.until(3);
  expect(watcher.summary()).toEqual(['ADDED new', 'DELETED old', 'ADDED last']);
  watcher.stop();
});

test('watches drop, and expire, when they are open and when they begin', async () => {
  const { server, session } = await start();
  for (const effect of ['drop', 'expire'] as const) {
    const open = await watch(session);
    await create(session, effect);
    await open.untilNamed(effect);
    const fault = server.faults.add({ selects: on('watch'), times: 2 }, { watch: effect });
    await open.ended;
    const next = await watch(session, '1').catch(() => undefined);
    await next?.ended;
    expect(fault.hits).toBe(2);
    if (effect === 'expire')
      for (const { events } of [open, next!])
        expect(events.at(-1)).toMatchObject({ type: 'ERROR', object: { code: 410 } });
    else expect(open.events.every(({ type }) => type === 'ADDED')).toBe(true);
  }
});

test('a half-open watch is silent until the fault is removed, and then breaks', async () => {
  const { server, session } = await start();
  const watcher = await watch(session);
  await create(session, 'seen');
  await watcher.untilNamed('seen');
  const fault = server.faults.add({ selects: on('watch'), times: 1 }, { watch: 'half-open' });
  const other = await watch(session);
  await create(session, 'unseen');
  await other.untilNamed('unseen');
  expect(watcher.summary()).not.toContain('ADDED unseen');
  fault.remove();
  await watcher.ended;
  expect(watcher.summary()).not.toContain('ADDED unseen');
  other.stop();
});

test.each([
  ['delay', ['ADDED a', 'ADDED b', 'MODIFIED a']],
  ['reorder', ['ADDED a', 'MODIFIED a', 'ADDED b']],
] as const)('events of a watch: %s', async (effect, expected) => {
  const { server, session, clock } = await start();
  const { resourceVersion } = (await session.get(configMaps)).body.metadata;
  const watcher = await watch(session, resourceVersion);
  server.faults.add({ selects: on('watch') }, { watch: effect, milliseconds: 100 });
  await create(session, 'a');
  await create(session, 'b');
  await session.merge(`${configMaps}/a`, { data: { x: 'y' } });
  await until(() => Promise.resolve(clock.waiting(100)));
  expect(watcher.events).toEqual([]);
  clock.advance(100);
  expect((await watcher.until(3)) && watcher.summary()).toEqual(expected);
});

test('after a compaction no watch continues, and a list begins again', async () => {
  const { server, session } = await start();
  const { resourceVersion } = (await create(session, 'a')).body.metadata;
  await create(session, 'b');
  const page = await session.get(`${configMaps}?limit=1`);
  await create(session, 'c');
  const open = await watch(session);
  await open.untilNamed('c');
  server.faults.compact();
  await open.ended;
  expect(open.events.at(-1)).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
  const resumed = await watch(session, resourceVersion);
  await resumed.ended;
  expect(resumed.events).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
  expect((await session.get(`${configMaps}?limit=1&continue=${page.body.metadata.continue}`)).code).toBe(410);
  expect((await session.get(configMaps)).body.items).toHaveLength(3);
});
