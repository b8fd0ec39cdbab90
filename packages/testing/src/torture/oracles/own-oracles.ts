import type { Step } from '../run/scenario.ts';
import type { TortureRun } from '../run/torture-run.ts';
import type { TortureSetup } from '../torture-options.ts';
import type { Oracle, World } from './oracle.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** What the oracles of the author say about a run. */
export async function ownVerdicts(
  { oracles = [] }: TortureSetup,
  steps: readonly Step[],
  run: TortureRun,
  when: 'check' | 'checkWhileFailing' = 'check',
): Promise<Verdict[]> {
  const asked = oracles.filter((oracle) => oracle[when] !== undefined);
  if (asked.length === 0) return [];
  const world = await worldOf(run, steps);
  const verdicts: Verdict[] = [];
  for (const oracle of asked)
    verdicts.push(...verdictOf(oracle.name, [...(await linesOf(oracle, when, world))]));
  return verdicts;
}

async function linesOf(
  oracle: Oracle,
  when: 'check' | 'checkWhileFailing',
  world: World,
): Promise<readonly string[]> {
  return (await oracle[when]?.(world)) ?? [];
}

async function worldOf(run: TortureRun, steps: readonly Step[]): Promise<World> {
  const { client, environment, writes, requested } = run;
  return {
    client,
    environment,
    object: await client.get(run.parent, run.key),
    writes: writes.map(({ text }) => text),
    requests: requested.map(({ step, ...request }) => ({ ...request, step: steps[step]?.title ?? 'starts' })),
  };
}
