import { expect, test } from 'vitest';
import { mergePatched } from '../../support/merge-patched.ts';
import { onBothServers } from '../../support/on-each-server.ts';
import { Randomness } from '../../support/randomness.ts';
import { workloadKinds } from './workload-cases.ts';
import { outcome } from './workload-outcome.ts';

const seeds = 12;
const stepsOfSeed = 8;
const deepest = 4;

/** A real server panics on a job with a success policy and without completions. */
function panics({ spec }: any): boolean {
  const job = spec?.jobTemplate?.spec ?? spec;
  return Boolean(job?.successPolicy) && job.completions === undefined;
}

/** Several changes at once. Some of their fields are removed or replaced. */
function changeOf(random: Randomness, changes: readonly unknown[]): unknown {
  const count = random.pick([1, 2, 3]);
  let change: unknown = {};
  for (let index = 0; index < count; index += 1) change = mergePatched(change, random.pick(changes));
  return random.chance(0.5) ? disturbed(random, change, 0) : change;
}

function disturbed(random: Randomness, value: any, depth: number): any {
  if (typeof value === 'number') return random.chance(0.2) ? random.pick([0, -1, 1, 7, 200_000]) : value;
  if (typeof value === 'string') return random.chance(0.05) ? random.pick(['', 'x', 'A b', '5%']) : value;
  if (typeof value !== 'object' || value === null || depth > deepest) return value;
  if (Array.isArray(value)) return value.map((item) => disturbed(random, item, depth + 1));
  const entries = Object.entries(value).filter(() => random.chance(0.97));
  return Object.fromEntries(entries.map(([key, item]) => [key, disturbed(random, item, depth + 1)]));
}

onBothServers('random workloads', (servers) => {
  const kinds = Object.entries(workloadKinds).filter(
    ([, { creations }]) => Object.keys(creations).length > 0,
  );

  test.each(kinds)(
    '%s are accepted and refused alike',
    async (_name, { path, base, creations, updates }) => {
      const changes = [...Object.values(creations), ...Object.values(updates)];
      for (let seed = 1; seed <= seeds; seed += 1) {
        const random = new Randomness(seed);
        const name = `random-${seed}`;
        let object: any = { metadata: { name }, ...base };
        for (const { session } of servers) await session.post(path, object);
        for (let step = 0; step < stepsOfSeed; step += 1) {
          const change: any = changeOf(random, changes);
          object = mergePatched({ metadata: { name: 'new' }, ...base }, change);
          if (panics(object)) continue;
          const answers = await Promise.all(
            servers.map(async ({ session }) => [
              outcome(await session.post(`${path}?dryRun=All`, object), (body) => body),
              outcome(await session.merge(`${path}/${name}`, { ...change, metadata: {} }), (body) => body),
            ]),
          );
          expect(answers[0], `step ${step} of seed ${seed}: ${JSON.stringify(change)}`).toStrictEqual(
            answers[1],
          );
        }
      }
    },
    120_000,
  );
});
