import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { defineKind } from 'ots-kubernetes';
import type { Lease } from 'ots-kubernetes/coordination/v1';
import { Node } from 'ots-kubernetes/core/v1';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../test/eventually.ts';
import { MemoryApi } from '../../test/memory-api.ts';
import { expectNothingOpen } from '../../test/open-resources.ts';
import { json, status } from '../../test/scripted-server.ts';
import { Thing, thing, thingPath } from '../../test/thing.ts';
import { VirtualClock, settled } from '../../test/virtual-clock.ts';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { currentWork } from '../context/work-context.ts';
import { ControllerBuilder } from '../controller/controller-builder.ts';
import { createLogger } from '../logging/create-logger.ts';
import { untilAborted } from '../signals/until-aborted.ts';
import { Manager } from './manager.ts';
import type { ManagerOptions } from './manager-options.ts';

const logger = createLogger({ level: 'silent' });
const disposables: AsyncDisposable[] = [];

afterEach(async () => {
  for (const disposable of disposables.splice(0).toReversed()) await disposable[Symbol.asyncDispose]();
});

async function setUp(
  options: Partial<ManagerOptions> = {},
  internals?: { clock: Clock },
): Promise<{ api: MemoryApi; manager: Manager }> {
  const api = await MemoryApi.start();
  disposables.push(api);
  // What is given belongs to the caller: nothing is to be written into it.
  const given = Object.freeze({ connection: Object.freeze(api.connection), logger, ...options });
  const manager = await Manager.create(given, internals);
  disposables.push(manager);
  return { api, manager };
}

const onLoopback = { port: 0, host: '127.0.0.1' };
const nothing = async (): Promise<void> => {};

async function probe(manager: Manager, path: string): Promise<{ code: number; text: string }> {
  const response = await fetch(`http://127.0.0.1:${manager.ports.health}${path}`);
  return { code: response.status, text: await response.text() };
}

/** A runnable that stops with its signal, and logs what happens to it. */
function runnable(name: string, log: string[]) {
  return {
    start: (signal: AbortSignal) => {
      log.push(`${name} started`);
      return new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => {
          log.push(`${name} stopped`);
          resolve();
        }),
      );
    },
  };
}

test('the time of a manager is that of its clock, and that of its connection by default', async () => {
  const clock = new VirtualClock();
  const { api, manager } = await setUp({}, { clock });
  const other = await Manager.create({ connection: { ...api.connection, clock }, logger });
  disposables.push(other);
  const { now } = manager;
  const before = now().getTime();
  await clock.advance(3_600_000);
  expect([now(), other.now()].map((time) => time.getTime() - before)).toEqual([3_600_000, 3_600_000]);
});

describe('a running manager', () => {
  test('reconciles existing, new and changed objects, and stops on abort', async () => {
    const { api, manager } = await setUp();
    api.put(thingPath('first'), thing('first', 1));
    const seen: string[] = [];
    new ControllerBuilder(manager).for(Thing).complete(async (request) => {
      const object = await manager.client.get(Thing, request);
      seen.push(`${request.namespace}/${request.name}=${object?.spec.size ?? 'gone'}`);
      if (object && object.status?.size !== object.spec.size) {
        await manager.client.status.update(Thing, { ...object, status: { size: object.spec.size } });
      }
    });
    const stop = new AbortController();
    const run = manager.start(stop.signal);
    await manager.ready;
    await eventually(() => (api.get(thingPath('first')) as Thing).status?.size === 1);
    api.put(thingPath('second'), thing('second', 2));
    await eventually(() => (api.get(thingPath('second')) as Thing).status?.size === 2);
    api.delete(thingPath('second'));
    await eventually(() => seen.includes('default/second=gone'));
    expect(manager.cache.list(Thing).map(({ metadata }) => metadata.name)).toEqual(['first']);
    stop.abort();
    await run;
  });

  test('is ready when its caches are synced, and says what is missing until then', async () => {
    const clock = new VirtualClock();
    const api = await MemoryApi.start();
    disposables.push(api);
    const { manager } = await setUp({ health: onLoopback, connection: { ...api.connection, clock } });
    api.server.script = ({ response }) =>
      json(response, 403, status(403, 'Forbidden', 'may not list things'));
    new ControllerBuilder(manager).for(Thing).complete(nothing);
    void manager.start();
    await eventually(() => manager.cache.problems()[0]?.includes('may not') ?? false);
    expect((await probe(manager, '/healthz')).code).toBe(200);
    const notReady = await probe(manager, '/readyz');
    expect(notReady.code).toBe(500);
    expect(notReady.text).toMatch(/^\[-\]informers failed: Thing\.example\.com\/v1 .*may not list things/);
    expect(notReady.text).toContain('\n[-]manager failed: the manager is starting\n');
    expect((await probe(manager, '/other')).code).toBe(404);
    expect(() => manager.cache.list(Thing)).toThrow('not synced yet');
    api.server.script = (exchange) => api.serve(exchange);
    await eventually(() => clock.delays.some((delay) => delay < 2000), 'the wait before the next attempt');
    await clock.advance(2000);
    await manager.ready;
    expect(await probe(manager, '/readyz')).toEqual({ code: 200, text: 'ok\n' });
  });

  test('watches only the configured namespaces', async () => {
    const { api, manager } = await setUp({ cache: { namespaces: ['default', 'other'] } });
    const seen: string[] = [];
    new ControllerBuilder(manager)
      .for(Thing)
      .complete(async ({ namespace, name }) => void seen.push(`${namespace}/${name}`));
    for (const namespace of ['default', 'third', 'other']) {
      const object = { ...thing('a'), metadata: { name: 'a', namespace } };
      api.put(`/apis/example.com/v1/namespaces/${namespace}/things/a`, object);
    }
    void manager.start();
    await eventually(() => seen.length === 2);
    expect(seen.toSorted()).toEqual(['default/a', 'other/a']);
    expect(manager.cache.list(Thing, { namespace: 'other' })).toHaveLength(1);
    expect(() => manager.cache.get(Thing, { name: 'a', namespace: 'third' })).toThrow(
      'only in default, other',
    );
  });

  test('reading a kind that is not in the cache is an error that says what to do', async () => {
    const { manager } = await setUp();
    expect(() => manager.cache.list(Thing)).toThrow(expect.objectContaining({ code: 'KIND_NOT_CACHED' }));
  });

  test('objects from the cache cannot be changed by accident', async () => {
    const { api, manager } = await setUp();
    api.put(thingPath('a'), thing('a'));
    new ControllerBuilder(manager).for(Thing).complete(nothing);
    void manager.start();
    await manager.ready;
    const cached = manager.cache.get(Thing, { name: 'a', namespace: 'default' }) as Thing;
    expect(() => (cached.spec.size = 2)).toThrow(TypeError);
  });

  test('many kinds do not make Node warn of a leak', async () => {
    const { manager } = await setUp();
    const warnings: Error[] = [];
    const collect = (warning: Error): void => void warnings.push(warning);
    process.on('warning', collect);
    for (let index = 0; index < 15; index += 1) {
      const kind = defineKind({
        apiVersion: 'example.com/v1',
        kind: `K${index}`,
        plural: `k${index}`,
        scope: 'Cluster',
      });
      new ControllerBuilder(manager).for(kind).complete(nothing);
    }
    void manager.start();
    await manager.ready;
    await settled();
    process.off('warning', collect);
    expect(warnings).toEqual([]);
  });
});

describe('the order of the start', () => {
  test('is servers, caches, runnables; the stop reverses it', async () => {
    const { api, manager } = await setUp({ health: onLoopback });
    const log: string[] = [];
    api.server.script = (exchange) => {
      const serving = manager.ports.health !== undefined;
      log.push(`${exchange.query.has('watch') ? 'watch' : 'list'}${serving ? '' : ' before the servers'}`);
      exchange.response.on('close', () => {
        if (exchange.query.has('watch')) log.push('watch ended');
      });
      api.serve(exchange);
    };
    new ControllerBuilder(manager).for(Thing).complete(nothing);
    manager.add(runnable('early', log));
    const run = manager.start();
    await manager.ready;
    manager.add(runnable('late', log));
    await eventually(() => log.includes('watch') && log.includes('late started'));
    await manager.stop();
    await run;
    await eventually(() => log.includes('watch ended'));
    expect(log.filter((line) => line !== 'watch')).toEqual([
      'list',
      'early started',
      'late started',
      'early stopped',
      'late stopped',
      'watch ended',
    ]);
    expect(() => manager.add(runnable('too late', log))).toThrow('stopping');
  });

  test('a controller that is added late waits for its cache like any other', async () => {
    const { api, manager } = await setUp();
    void manager.start();
    await manager.ready;
    api.put(thingPath('a'), thing('a'));
    api.server.script = nothing;
    let sizes: (number | undefined)[] = [];
    const controller = new ControllerBuilder(manager).for(Thing).complete(async (request) => {
      sizes = [...sizes, manager.cache.get(Thing, request)?.spec.size];
    });
    controller.enqueue({ name: 'a', namespace: 'default' });
    await eventually(() => api.server.exchanges.length === 1);
    await settled();
    expect(sizes).toEqual([]);
    api.server.script = (exchange) => api.serve(exchange);
    api.serve(api.server.exchanges[0]!);
    await eventually(() => sizes.length > 0);
    expect(sizes).toEqual([1]);
  });

  test('a stop while the caches sync is not an error', async () => {
    const { api, manager } = await setUp();
    api.server.script = () => {};
    new ControllerBuilder(manager).for(Thing).complete(nothing);
    const run = manager.start();
    await eventually(() => api.server.exchanges.length === 1);
    await manager.stop();
    await run;
    await expect(manager.ready).rejects.toThrow('stopped');
  });

  test('a signal that has aborted already stops it at once', async () => {
    const { manager } = await setUp();
    await expect(manager.start(AbortSignal.abort())).resolves.toBeUndefined();
  });

  test('the stop waits for a running reconcile', async () => {
    const { api, manager } = await setUp();
    api.put(thingPath('a'), thing('a'));
    let finish: (() => void) | undefined;
    let running = false;
    new ControllerBuilder(manager).for(Thing).complete(
      () =>
        new Promise((resolve) => {
          running = true;
          finish = () => resolve();
        }),
    );
    let stopped = false;
    const run = manager.start().then(() => (stopped = true));
    await eventually(() => running);
    void manager.stop();
    await settled();
    await settled();
    expect(stopped).toBe(false);
    finish?.();
    await run;
  });
});

describe('failures', () => {
  test('the first runnable that fails stops everything, and start says why', async () => {
    const { manager } = await setUp({ health: onLoopback });
    const log: string[] = [];
    manager.add(runnable('other', log));
    manager.add({ start: () => Promise.reject(new Error('first')) });
    await expect(manager.start()).rejects.toThrow('first');
    expect(log).toEqual(['other started', 'other stopped']);
    expect(manager.ports.health).toBeUndefined();
  });

  test('a runnable that throws before it awaits anything also counts', async () => {
    const { manager } = await setUp();
    manager.add({
      start: () => {
        throw new Error('at once');
      },
    });
    await expect(manager.start()).rejects.toThrow('at once');
  });

  test('a port that is taken is a clear error, and nothing stays open', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const { api, manager } = await setUp({ health: { port, host: '127.0.0.1' } });
    new ControllerBuilder(manager).for(Thing).complete(nothing);
    await expect(manager.start()).rejects.toMatchObject({
      code: 'CANNOT_LISTEN',
      message: expect.stringContaining('for health probes is in use'),
    });
    expect(api.server.exchanges).toEqual([]);
    await new Promise((resolve) => taken.close(resolve));
  });

  test('something that does not stop in time is reported, and does not keep the rest alive', async () => {
    const { manager } = await setUp({ health: onLoopback, gracefulShutdownTimeout: 20 });
    manager.add({ start: () => new Promise(() => {}) });
    const run = manager.start().catch((error: unknown) => error);
    await manager.ready;
    await manager.stop();
    expect(await run).toMatchObject({ code: 'SHUTDOWN_TIMEOUT' });
    expect(manager.ports.health).toBeUndefined();
  });

  test('a timeout of 0 does not wait, and is not an error', async () => {
    const { manager } = await setUp({ gracefulShutdownTimeout: 0 });
    manager.add({ start: () => new Promise(() => {}) });
    const run = manager.start();
    await manager.ready;
    await manager.stop();
    await expect(run).resolves.toBeUndefined();
  });

  test('starting twice, or after a stop, is an error', async () => {
    const { manager } = await setUp();
    const run = manager.start();
    await expect(manager.start()).rejects.toThrow('started twice');
    await manager.stop();
    await run;
    const { manager: other } = await setUp();
    await other.stop();
    await expect(other.start()).rejects.toThrow('was stopped');
    await expect(other.ready).rejects.toThrow('before it started');
  });

  test('a runnable that is added during the stop is refused', async () => {
    const { manager } = await setUp();
    let late: unknown;
    manager.add({
      async start(signal) {
        await untilAborted(signal);
        try {
          manager.add({ start: async () => {} });
        } catch (error) {
          late = error;
        }
      },
    });
    const run = manager.start();
    await manager.elected;
    await manager.stop();
    await run;
    expect(late).toMatchObject({ code: 'USAGE', message: 'The manager is stopping' });
  });

  test('a malformed duration is refused when the manager is created', async () => {
    await expect(setUp({ gracefulShutdownTimeout: 'soon' })).rejects.toThrow('"soon" is not a duration');
  });
});

describe('clients', () => {
  test('the client reads from the cache, and apiReader from the server', async () => {
    const { api, manager } = await setUp();
    api.put(thingPath('a'), thing('a', 1));
    new ControllerBuilder(manager).for(Thing).complete(nothing);
    void manager.start();
    await manager.ready;
    const gets = (): number => api.server.exchanges.filter(({ path }) => path === thingPath('a')).length;
    expect((await manager.client.get(Thing, { name: 'a', namespace: 'default' }))?.spec.size).toBe(1);
    expect(gets()).toBe(0);
    await expect(manager.client.list(Node)).rejects.toMatchObject({ code: 'KIND_NOT_CACHED' });
    expect((await manager.apiReader.get(Thing, { name: 'a', namespace: 'default' }))?.spec.size).toBe(1);
    expect(gets()).toBe(1);
  });
});

describe('leader election', () => {
  const leasePath = '/apis/coordination.k8s.io/v1/namespaces/system/leases/mine';
  const leaderElection = { id: 'mine', namespace: 'system', identity: 'me' };
  const lease = (holderIdentity: string): Lease => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'mine', namespace: 'system' },
    spec: { holderIdentity, leaseDurationSeconds: 15 },
  });

  test('a leader works, behind a fence, and releases the lease; its metrics and events show it', async () => {
    const { api, manager } = await setUp({
      leaderElection,
      metrics: { ...onLoopback, secure: false },
      health: onLoopback,
    });
    api.put(thingPath('a'), thing('a'));
    let fence: (() => void) | undefined;
    new ControllerBuilder(manager).for(Thing).complete(async () => {
      fence = currentWork()?.fence;
    });
    const run = manager.start();
    await manager.elected;
    await eventually(() => fence !== undefined);
    expect(fence).not.toThrow();
    expect((api.get(leasePath) as Lease).spec?.holderIdentity).toBe('me');
    expect(await (await fetch(`http://127.0.0.1:${manager.ports.metrics}/metrics`)).text()).toContain(
      'leader_election_master_status{name="mine"} 1',
    );
    expect((await probe(manager, '/readyz/leader-election')).code).toBe(200);
    await manager.stop();
    await run;
    expect((api.get(leasePath) as Lease).spec?.holderIdentity).toBe('');
    expect(fence).toThrow('it was released');
    const notes = api.server.exchanges
      .filter(({ method, path }) => method === 'POST' && path.endsWith('/events'))
      .map(({ body }) => (body as { note: string }).note);
    expect(notes).toEqual(['me became leader', 'me stopped leading']);
  });

  test('a standby is ready, does not work, and stops without ever leading', async () => {
    const { api, manager } = await setUp({ leaderElection, health: onLoopback });
    api.put(leasePath, lease('other'));
    api.put(thingPath('a'), thing('a'));
    let runs = 0;
    new ControllerBuilder(manager).for(Thing).complete(async () => {
      runs += 1;
    });
    const everywhere: string[] = [];
    manager.add({ ...runnable('everywhere', everywhere), needsLeaderElection: false });
    const run = manager.start();
    await manager.ready;
    await eventually(() => api.server.exchanges.some(({ path }) => path === leasePath));
    expect(await probe(manager, '/readyz')).toEqual({ code: 200, text: 'ok\n' });
    expect(everywhere).toEqual(['everywhere started']);
    await manager.stop();
    await run;
    expect(runs).toBe(0);
    await expect(manager.elected).rejects.toThrow('was stopped');
    expect((api.get(leasePath) as Lease).spec?.holderIdentity).toBe('other');
  });

  test('a replica without permission for leases is not ready, and says what it needs', async () => {
    const { api, manager } = await setUp({ leaderElection, health: onLoopback });
    api.server.script = (exchange) =>
      exchange.path === leasePath
        ? json(exchange.response, 403, status(403, 'Forbidden', 'leases is forbidden'))
        : api.serve(exchange);
    void manager.start();
    await manager.ready;
    await eventually(() => api.server.exchanges.some(({ path }) => path === leasePath));
    await settled();
    await expect
      .poll(async () => (await probe(manager, '/readyz')).text)
      .toContain('[-]leader-election failed: This process is not allowed to use the lease system/mine');
  });

  test('needs a namespace, and times that do not conflict', async () => {
    await expect(setUp({ leaderElection: { id: 'mine' } })).rejects.toThrow(
      'namespace for leader election is unknown',
    );
    await expect(setUp({ leaderElection: { ...leaderElection, renewDeadline: '1m' } })).rejects.toThrow(
      'not longer than',
    );
  });
});

describe('health checks of the operator', () => {
  test('are added to the endpoints', async () => {
    const { manager } = await setUp({ health: onLoopback });
    manager.addHealthCheck('disk', () => 'the disk is full');
    manager.addReadyCheck('database', () => undefined);
    void manager.start();
    await manager.ready;
    expect(await probe(manager, '/readyz?verbose')).toEqual({
      code: 200,
      text: '[+]database ok\n[+]informers ok\n[+]manager ok\nreadyz check passed\n',
    });
    expect(await probe(manager, '/healthz/disk')).toMatchObject({ code: 500 });
    expect(() => manager.addReadyCheck('informers', () => {})).toThrow(
      'Two checks of readyz are named informers',
    );
  });
});

test('nothing is left behind: no socket, no timer', async () => {
  await expectNothingOpen();
  for (let round = 0; round < 3; round += 1) {
    const api = await MemoryApi.start();
    api.put(thingPath('a'), thing('a'));
    const manager = await Manager.create({
      connection: api.connection,
      logger,
      health: onLoopback,
      metrics: { ...onLoopback, secure: true },
      profiling: { port: 0 },
      leaderElection: { id: 'mine', namespace: 'system' },
    });
    let runs = 0;
    new ControllerBuilder(manager).for(Thing).complete(async (request) => {
      runs += 1;
      await manager.client.get(Thing, request);
      return { requeueAfter: '1h' };
    });
    const run = manager.start();
    await eventually(() => runs > 0);
    await manager.stop();
    await run;
    await api[Symbol.asyncDispose]();
  }
  await expectNothingOpen();
});
