import type { KubernetesObject } from 'ots-runtime';
import { findingsOf } from './finding.ts';
import { type Verdict, judge } from './judge.ts';
import type { Plan } from './plan.ts';
import { plansFor } from './plans.ts';
import { runReference } from './reference.ts';
import { scenarioOf } from './scenario.ts';
import type { TortureOptions, TortureSetup } from './torture-options.ts';
import type { TortureReport } from './torture-report.ts';

/** Searches for bugs of an operator: lets it go through the life of an object again and again while something goes wrong. */
export async function torture<T extends KubernetesObject>(
  setup: TortureSetup<T>,
  { seed = 1, budget, plans: chosen, share = { index: 0, of: 1 }, onProgress }: TortureOptions = {},
): Promise<TortureReport> {
  const begun = performance.now();
  const steps = scenarioOf(setup);
  const reference = await runReference(setup, steps, seed);
  const all = chosen ?? plansFor(reference, steps);
  const plans = all.filter((_, index) => index % share.of === share.index);
  const end = budget === undefined ? Infinity : performance.now() + millisecondsOf(budget);
  const results: { plan: Plan; verdicts: Verdict[] }[] = [];
  let tried = 0;
  for (const plan of plans) {
    if (performance.now() > end) break;
    const verdicts = await judge(setup, steps, plan, reference, seed);
    tried += 1;
    if (verdicts.length > 0) results.push({ plan, verdicts });
    onProgress?.({ tried, plans: plans.length, findings: results.length });
  }
  const { name, namespace } = setup.object.metadata;
  return {
    object: `${setup.object.kind} ${namespace ? `${namespace}/` : ''}${name}`,
    seed,
    writes: reference.writes.map(({ text }) => text),
    plans: { all: plans.length, tried, skipped: 0 },
    milliseconds: performance.now() - begun,
    findings: findingsOf(results, steps, reference),
    masked: [],
  };
}

function millisecondsOf(budget: string): number {
  return Number.parseFloat(budget) * (budget.endsWith('m') ? 60_000 : 1000);
}
