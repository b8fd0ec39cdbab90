import { afterEach, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { ScriptedServer, json, status } from '../../test/scripted-server.ts';
import { Thing, thing } from '../../test/thing.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Transport } from '../transport/transport.ts';
import { Cache } from './cache.ts';

let cleanUp: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.toReversed()) await each();
  cleanUp = [];
});

async function setUp() {
  const server = await ScriptedServer.start(({ response }) =>
    json(response, 404, status(404, 'NotFound', 'no things')),
  );
  const clock = new VirtualClock();
  const transport = new Transport({ server: server.url }, { clock });
  const cache = new Cache({
    transport,
    namespaces: undefined,
    clock,
    logger: createLogger({ level: 'silent' }),
  });
  const stop = new AbortController();
  cleanUp.push(
    () => server[Symbol.asyncDispose](),
    () => transport.close(),
    () => {
      stop.abort();
      return cache.stopped();
    },
  );
  return { server, clock, cache, stop };
}

test('a cache that does not fill in two minutes says which kind is missing, why, and what to do', async () => {
  const { server, clock, cache, stop } = await setUp();
  cache.informer(Thing);
  cache.start(stop.signal);
  const synced = cache.synced(stop.signal).catch((error: unknown) => error);
  await eventually(() => server.exchanges.length === 1 && clock.delays.length === 2);
  await clock.advance(120_000);
  expect(await synced).toMatchObject({
    code: 'CACHE_NOT_SYNCED',
    message: expect.stringMatching(/^the cache did not fill within 120 s: Thing\.example\.com\/v1 \(.+\)$/),
    hint: expect.stringContaining('CRDs'),
  });
});

test('controllers share what they watch, and what is watched late is started at once', async () => {
  const { server, cache, stop } = await setUp();
  server.script = ({ query, response }) => {
    if (query.has('watch')) response.writeHead(200).flushHeaders();
    else json(response, 200, { metadata: { resourceVersion: '1' }, items: [thing('a')] });
  };
  cache.start(stop.signal);
  await cache.synced(stop.signal);
  const informer = cache.informer(Thing);
  expect(cache.informer(Thing)).toBe(informer);
  await informer.synced;
  expect(cache.list(Thing)).toHaveLength(1);
  expect(cache.list(Thing, { namespace: 'other' })).toEqual([]);
});
