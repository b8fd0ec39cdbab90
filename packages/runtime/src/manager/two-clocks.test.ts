import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { ScriptedServer, json } from '../../test/scripted-server.ts';
import { Thing, thing } from '../../test/thing.ts';
import { VirtualClock } from '../../test/virtual-clock.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import type { ConnectionConfig } from '../kubeconfig/connection-config.ts';
import { createLogger } from '../logging/create-logger.ts';
import { Manager } from './manager.ts';

const hour = 3_600_000;
const logger = createLogger({ level: 'silent' });
const key = { name: 'slow', namespace: 'default' };
const versioned = (name: string, resourceVersion: string): Thing => {
  const made = thing(name);
  return { ...made, metadata: { ...made.metadata, uid: name, resourceVersion } };
};

interface World {
  clock: VirtualClock;
  manager: Manager;
  /** The answers that are held back: to a GET of one object, and to watches. */
  gets: ServerResponse[];
  watches: ServerResponse[];
  seen: string[];
}

/** An operator with a clock that a test moves, a watch that is open, and a request that is not answered yet. */
async function setUp(connection: (clock: VirtualClock) => Partial<ConnectionConfig>): Promise<World> {
  const gets: ServerResponse[] = [];
  const watches: ServerResponse[] = [];
  const server = await ScriptedServer.start(({ query, path, response }) => {
    if (query.get('watch') === 'true') {
      response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
      watches.push(response);
      // With a bookmark the watchdog barks after 90 s.
      const metadata = { resourceVersion: '10' };
      const object = { apiVersion: Thing.apiVersion, kind: 'Thing', metadata };
      response.write(`${JSON.stringify({ type: 'BOOKMARK', object })}\n`);
    } else if (path.endsWith('/slow')) {
      gets.push(response);
    } else {
      json(response, 200, { metadata: { resourceVersion: '10' }, items: [versioned('a', '9')] });
    }
  });
  const clock = new VirtualClock();
  const manager = await Manager.create(
    { connection: { server: server.url, ...connection(clock) }, logger },
    { clock },
  );
  onTestFinished(async () => {
    await manager.stop();
    await server[Symbol.asyncDispose]();
  });
  const seen: string[] = [];
  new ControllerBuilder(manager).for(Thing).complete(async ({ name }) => {
    seen.push(name);
    return name === 'a' ? { requeueAfter: '30m' } : undefined;
  });
  void manager.start();
  await manager.ready;
  await eventually(() => watches.length === 1 && seen.length === 1, 'the watch and the first run');
  return { clock, manager, gets, watches, seen };
}

test('an hour of the operator expires neither a request nor a watch over a real connection', async () => {
  const { clock, manager, gets, watches, seen } = await setUp(() => ({}));
  const answer = manager.apiReader.get(Thing, key);
  await eventually(() => gets.length === 1, 'the request');

  await clock.advance(hour);

  // The operator has lived through that hour: the object ran again after 30 minutes, twice.
  await eventually(() => seen.length === 3, 'the runs of an hour');
  json(gets[0]!, 200, versioned('slow', '11'));
  expect(await answer).toMatchObject({ metadata: key });
  watches[0]!.write(`${JSON.stringify({ type: 'ADDED', object: versioned('b', '12') })}\n`);
  await eventually(() => seen.includes('b'), 'the event on the watch that was open');
  expect([gets.length, watches.length]).toEqual([1, 1]);
  expect(manager.cache.problems()).toEqual([]);
});

test('an hour of the operator’s clock does not affect the server that fills the caches', async () => {
  const lists: ServerResponse[] = [];
  await using server = await ScriptedServer.start(({ query, response }) => {
    if (query.get('watch') === 'true') response.writeHead(200).flushHeaders();
    else lists.push(response);
  });
  server.answersStart = true;
  const clock = new VirtualClock();
  const connection = { server: server.url };
  await using manager = await Manager.create({ connection, logger }, { clock });
  new ControllerBuilder(manager).for(Thing).complete(async () => {});
  const running = manager.start();
  await eventually(() => lists.length === 1, 'the list');
  await clock.advance(hour);
  json(lists[0]!, 200, { metadata: { resourceVersion: '10' }, items: [versioned('a', '9')] });
  await manager.ready;
  expect(lists).toHaveLength(1);
  await manager.stop();
  await running;
});

test('a simulated connection uses its own clock', async () => {
  const { clock, manager, gets, watches } = await setUp((simulated) => ({ clock: simulated }));
  const answer = manager.apiReader.get(Thing, key).catch((error: unknown) => error);
  await eventually(() => gets.length === 1, 'the request');
  await clock.advance(hour);
  expect(await answer).toMatchObject({ code: 'REQUEST_TIMEOUT' });
  await eventually(() => watches.length > 1, 'another watch');
});
