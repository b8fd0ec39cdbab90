import type { KubernetesObject } from 'ots-runtime';
import { judge } from './oracles/judge.ts';
import type { Search } from './oracles/trial.ts';
import { undisturbedVerdicts } from './oracles/undisturbed.ts';
import type { Plan } from './plans/plan.ts';
import { plansFor } from './plans/plans-for.ts';
import { type Reference, runReference } from './reference/reference.ts';
import { type Shown, findingsOf } from './report/finding.ts';
import type { TortureReport } from './report/torture-report.ts';
import { scenarioOf } from './run/scenario.ts';
import type { TortureOptions, TortureSetup } from './torture-options.ts';

/**
 * Searches for bugs of an operator: lets it go through the life of an object again and again, while it crashes, sees old states, misses
 * others, and users change their minds.
 */
export async function torture<T extends KubernetesObject>(
  setup: TortureSetup<T>,
  { seed = 1, budget, plans: chosen, share = { index: 0, of: 1 }, onProgress }: TortureOptions = {},
): Promise<TortureReport> {
  const begun = performance.now();
  const steps = scenarioOf(setup);
  const reference = await runReference(setup, steps, seed);
  const known = plansFor(reference, setup);
  const plans = (chosen ?? known.all).filter((_, index) => index % share.of === share.index);
  const search: Search = {
    setup,
    steps,
    reference,
    seed,
    unfaithful: process.env['NOSNAP']
      ? new Set(steps.keys())
      : await unfaithfulSteps(setup, steps, reference, seed),
  };
  const end = budget === undefined ? Infinity : performance.now() + millisecondsOf(budget);
  const shown: Shown[] =
    share.index === 0 ? undisturbedVerdicts(reference, steps).map((verdict) => ({ verdict })) : [];
  let tried = 0;
  for (const plan of plans) {
    if (performance.now() > end) break;
    const { verdicts } = await judge(search, plan);
    tried += 1;
    shown.push(...verdicts.map((verdict) => ({ plan, verdict })));
    onProgress?.({ tried, plans: plans.length, findings: shown.length });
  }
  const { name, namespace } = setup.object.metadata;
  return {
    object: `${setup.object.kind} ${namespace ? `${namespace}/` : ''}${name}`,
    seed,
    writes: reference.writes.map(({ text }) => text),
    plans: { all: plans.length, tried, skipped: known.skipped },
    milliseconds: performance.now() - begun,
    findings: findingsOf(shown, steps, reference),
    masked: reference.mask.map(([object, ...path]) => `${object}: ${path.join('.')}`),
  };
}

/** Steps before which a snapshot does not hold all that matters, such as the data of simulated applications. */
async function unfaithfulSteps(
  setup: TortureSetup,
  steps: Search['steps'],
  reference: Reference,
  seed: number,
): Promise<ReadonlySet<number>> {
  const unfaithful = new Set<number>();
  for (const step of steps.keys()) {
    const search: Search = { setup, steps, reference, seed, unfaithful: new Set() };
    const plan: Plan = { phase: 'restart', step };
    if ((await judge(search, plan)).verdicts.length > 0) unfaithful.add(step);
  }
  return unfaithful;
}

function millisecondsOf(budget: string): number {
  return Number.parseFloat(budget) * (budget.endsWith('m') ? 60_000 : 1000);
}
