import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Backend, startBackend } from './backend.ts';
import { type FaultName, faults } from './faults.ts';
import { isWatch } from './proxied-request.ts';
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

const lists: FaultName[] = [
  'failing lists',
  'forbidden lists',
  'failing later pages',
  'expired later pages',
  'slow lists',
];

test.each(Object.keys(faults) as FaultName[])('an operator recovers from a storm with %s', async (name) => {
  await using storm = await Storm.start(backend);
  const { proxy } = storm;
  for (let round = 1; round <= rounds; round += 1) {
    await storm.watching();
    proxy.turnOn(name);
    // These faults affect new watches only.
    if (lists.includes(name)) await storm.relist();
    else proxy.break('reset', isWatch);
    for (let step = 0; step < 3 || proxy.affected(name) < round * 2; step += 1) {
      await storm.churn.run(5);
      storm.clock.skip(8000);
      storm.look();
    }
    proxy.turnOff(name);
    await storm.churn.run(5);
  }
  expect(await storm.calm()).toEqual([]);
  await storm.stop();
});
