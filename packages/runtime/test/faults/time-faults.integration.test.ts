import { setImmediate as turn } from 'node:timers/promises';
import { ConfigMap } from 'ots-kubernetes/core/v1';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { type Backend, startBackend } from './backend.ts';
import { FaultProxy } from './fault-proxy.ts';
import { MovableClock } from './movable-clock.ts';
import { type FaultName, faults } from './faults.ts';
import { isWatch, isWrite } from './proxied-request.ts';
import { pick } from './random.ts';
import { Storm } from './storm.ts';
import { createLogger } from '../../src/logging/create-logger.ts';
import { Manager } from '../../src/manager/manager.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

let backend: Backend;
let elections = 0;

beforeAll(async () => {
  backend = await startBackend();
});

afterAll(async () => {
  await backend.stop();
});

const hour = 3_600_000;

function election(identity: string): { id: string; namespace: string; identity: string } {
  return { id: `faults-${elections}`, namespace: 'default', identity };
}

/** Starts an operator that leads. `ended` returns the error with which it ended. */
async function leader(): Promise<{ storm: Storm; ended: () => unknown }> {
  elections += 1;
  const storm = await Storm.start(backend, { manager: { leaderElection: election('first') } });
  let error: unknown;
  storm.run.catch((reason: unknown) => (error = reason));
  return { storm, ended: () => error };
}

const refusal = (write: Promise<unknown>): Promise<unknown> =>
  write.then(
    () => undefined,
    (error: unknown) => error,
  );

test.each([hour, -hour])('a clock change of %i ms does no harm', async (jump) => {
  const { storm } = await leader();
  await using _ = storm;
  await storm.watching();
  let watches = 0;
  storm.proxy.observe({ passed: (request) => void (watches += isWatch(request) ? 1 : 0) });
  const changes = storm.churn.run(20);
  storm.clock.jump(jump);
  await changes;
  storm.look();
  // Work that needs the leadership waits at most until the lease is renewed.
  await storm.churn.run(20);
  expect(watches).toBe(0);
  expect(await storm.calm()).toEqual([]);
  await storm.stop();
});

test('a leader whose event loop was blocked sends nothing more, and ends', async () => {
  const { storm, ended } = await leader();
  await using _ = storm;
  const write = (): Promise<unknown> =>
    storm.manager.client.create(ConfigMap, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'late', namespace: storm.namespace },
    });
  let late: Promise<unknown> | undefined;
  storm.manager.add({
    start: async () => {
      // One write begins in time and is delayed before it leaves. The other begins later, before any timer fires.
      const before = write();
      storm.clock.skip(12_000);
      late = Promise.all([refusal(before), refusal(write())]);
      await late;
    },
  });
  await eventually(() => late !== undefined);
  expect(await late).toMatchObject([{ code: 'LEADERSHIP_LOST' }, { code: 'LEADERSHIP_LOST' }]);
  await eventually(() => ended() !== undefined, 'the end of the leader');
  expect(ended()).toMatchObject({ code: 'LEADERSHIP_LOST' });
  expect(await storm.client.get(ConfigMap, { name: 'late', namespace: storm.namespace })).toBeUndefined();
  await storm.stop();
});

test('a leader that is cut off ends before another leads, and no later write of it arrives', async () => {
  const { storm, ended } = await leader();
  await using _ = storm;
  const proxy = await FaultProxy.start(backend.connection);
  const clock = new MovableClock();
  const logger = createLogger({ level: 'silent' });
  await using second = await Manager.create(
    { connection: { ...proxy.connection, clock }, logger, leaderElection: election('second') },
    { clock },
  );
  const run = second.start();
  await second.ready;
  const state = { hasSecond: false };
  void second.elected.then(() => (state.hasSecond = true));
  const late: string[] = [];
  storm.proxy.observe({
    passed: (request) => {
      if (state.hasSecond && isWrite(request)) late.push(`${request.method} ${request.url.pathname}`);
    },
  });
  const changes = storm.churn.run(20);
  storm.proxy.vanish();
  await changes;
  // Both clocks show the same time.
  for (let seconds = 0; seconds < 60 && !state.hasSecond; seconds += 1) {
    storm.clock.skip(1000);
    clock.skip(1000);
    for (let turns = 0; turns < 10 || proxy.isBusy || clock.isBehind; turns += 1) await turn();
  }
  expect(state.hasSecond).toBe(true);
  await storm.proxy.heal();
  await eventually(() => ended() !== undefined, 'the end of the first');
  expect(ended()).toMatchObject({ code: 'LEADERSHIP_LOST' });
  expect(late).toEqual([]);
  await storm.stop();
  await second.stop();
  await run;
  proxy.close();
});

test('leaders follow each other through a storm, and none sends anything after its term', async () => {
  elections += 1;
  const ends: unknown[] = [];
  const names = Object.keys(faults) as FaultName[];
  for (let term = 1; term <= 2; term += 1) {
    await using storm = await Storm.start(backend, {
      seed: term,
      namespace: `terms-${elections}`,
      manager: { leaderElection: election(`leader-${term}`) },
    });
    const { proxy, random, churn } = storm;
    const state = { isOver: false };
    storm.run.catch((error: unknown) => {
      ends.push(error);
      state.isOver = true;
    });
    for (let step = 0; step < 10; step += 1) {
      const active = [pick(names, random), pick(names, random)];
      proxy.turnOn(...active);
      if (random() < 0.3) proxy.break(pick(['reset', 'finish', 'half-open'], random));
      await Promise.all([churn.run(3), storm.pass(random() * 6000)]);
      proxy.turnOff(...active);
    }
    proxy.vanish();
    await Promise.all([churn.run(10), storm.pass(12_000)]);
    await proxy.heal();
    await eventually(() => state.isOver, 'the end of the leader');
    expect(storm.witness.complaints).toEqual([]);
    await storm.stop();
  }
  expect(ends).toMatchObject(ends.map(() => ({ code: 'LEADERSHIP_LOST' })));
});
