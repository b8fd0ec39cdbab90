import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Backend, startBackend } from './backend.ts';
import type { Breakage } from './fault-proxy.ts';
import { type FaultName, faults } from './faults.ts';
import { isWatch, isWrite } from './proxied-request.ts';
import { pick } from './random.ts';
import { rounds } from './rounds.ts';
import { Storm } from './storm.ts';

// Runs against the embedded API server, and against a real one when KUBEBUILDER_ASSETS is set.

let backend: Backend;

beforeAll(async () => {
  backend = await startBackend();
});

afterAll(async () => {
  await backend.stop();
});

const breakages: Breakage[] = ['reset', 'finish', 'half-open'];
const victims = { 'all connections': undefined, watches: isWatch, writes: isWrite };

test.each(breakages.flatMap((how) => Object.entries(victims).map(([name, which]) => ({ how, name, which }))))(
  'an operator recovers from a storm that breaks $name: $how',
  async ({ how, which }) => {
    await using storm = await Storm.start(backend);
    for (let round = 0; round < rounds * 3; round += 1) {
      const changes = storm.churn.run(10);
      storm.proxy.break(how, which);
      await changes;
      storm.proxy.break(how, which);
      storm.clock.skip(12_000);
      storm.look();
    }
    expect(await storm.calm()).toEqual([]);
    await storm.stop();
  },
);

test('an operator recovers from refused connections', async () => {
  await using storm = await Storm.start(backend);
  for (let round = 0; round < 3; round += 1) {
    storm.proxy.refuse();
    storm.proxy.break('reset');
    for (let step = 0; step < 4; step += 1) {
      await storm.churn.run(5);
      storm.clock.skip(8000);
      storm.look();
    }
    await storm.proxy.accept();
    await storm.churn.run(5);
  }
  expect(await storm.calm()).toEqual([]);
  await storm.stop();
});

test('an operator notices that a network drops all packets, reports it in readyz, and recovers', async () => {
  await using storm = await Storm.start(backend, { isElected: false });
  await storm.watching();
  storm.proxy.vanish();
  await storm.churn.run(30);
  storm.clock.skip(60_000);
  storm.look();
  expect(storm.manager.cache.problems()).toEqual([]);
  // A watch lasts ten minutes at most, with or without bookmarks. An attempt to open another takes half a minute.
  for (let minutes = 1; minutes < 15; minutes += 0.25) {
    storm.clock.skip(15_000);
    storm.look();
    await storm.churn.run(1);
  }
  expect(storm.manager.cache.problems().toSorted()).toEqual([
    expect.stringMatching(/^ConfigMap\.v1 in storm-\d+ is out of date \(connection for \d+ s: /),
    expect.stringMatching(/^Thing\.example\.com\/v1 in storm-\d+ is out of date \(connection for \d+ s: /),
  ]);
  expect(await storm.calm()).toEqual([]);
  expect(storm.manager.cache.problems()).toEqual([]);
  await storm.stop();
});

test('an operator notices objects that were recreated while it could not watch', async () => {
  await using storm = await Storm.start(backend);
  const before = new Map(storm.witness.things.known);
  storm.proxy.refuse();
  storm.proxy.break('finish');
  for (const name of storm.churn.names) await storm.churn.recreate(name);
  expect(await storm.calm()).toEqual([]);
  for (const [key, object] of storm.witness.things.known) {
    expect(object.metadata.uid).not.toBe(before.get(key)?.metadata.uid);
  }
  await storm.stop();
});

test.each([1, 2])('an operator recovers from a storm of random faults (seed %i)', async (seed) => {
  await using storm = await Storm.start(backend, { seed, isElected: false });
  const { proxy, random } = storm;
  const names = Object.keys(faults) as FaultName[];
  const active = new Set<FaultName>();
  for (let step = 0; step < 60; step += 1) {
    const changes = storm.churn.run(3);
    const what = random();
    if (what < 0.3) {
      const name = pick(names, random);
      active.add(name);
      proxy.turnOn(name);
    } else if (what < 0.6) {
      const name = pick([...active, ...names], random);
      active.delete(name);
      proxy.turnOff(name);
    } else if (what < 0.7) {
      proxy.break(pick(breakages, random), pick(Object.values(victims), random));
    } else if (what < 0.75) {
      proxy.refuse();
    } else if (what < 0.8) {
      proxy.vanish();
    } else {
      await proxy.accept();
    }
    await changes;
    storm.clock.skip(random() * 20_000);
    storm.look();
  }
  expect(await storm.calm()).toEqual([]);
  await storm.stop();
});
