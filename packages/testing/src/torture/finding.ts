import { describePlan } from './describe-plan.ts';
import type { Verdict } from './judge.ts';
import { type Plan, planKey } from './plan.ts';
import type { Reference } from './reference.ts';
import type { Step } from './scenario.ts';
import type { Finding, Pattern } from './torture-report.ts';

const patterns: Record<Plan['phase'], Pattern> = {
  crash: 'crash',
  'lost-response': 'crash',
  refusal: 'refused request',
  stale: 'stale view',
  missed: 'missed state',
  interruption: 'missed state',
  recreation: 'deletion',
  fresh: 'changed spec',
  spec: 'changed spec',
  order: 'order',
};

/** Puts together what is the same: the same oracle, sort of plan, and thing that is wrong. */
export function findingsOf(
  results: readonly { plan: Plan; verdicts: readonly Verdict[] }[],
  steps: readonly Step[],
  reference: Pick<Reference, 'writes'>,
): Finding[] {
  const found = new Map<string, { oracle: string; details: readonly string[]; plans: Plan[] }>();
  for (const { plan, verdicts } of results) {
    for (const { oracle, details } of verdicts) {
      const key = idOf(plan, oracle, details[0] ?? '');
      const known = found.get(key);
      if (known) known.plans.push(plan);
      else found.set(key, { oracle, details, plans: [plan] });
    }
  }
  return [...found].map(([id, { oracle, details, plans }]) => {
    const [plan] = simplestFirst(plans);
    return {
      id,
      pattern: patterns[plan!.phase],
      oracle,
      consequence: details[0] ?? '',
      details,
      plan: plan!,
      description: describePlan(plan!, steps, reference),
      plans: plans.length,
      timeline: [],
      cure: '',
      link: '',
    };
  });
}

function idOf({ phase }: Plan, oracle: string, detail: string): string {
  const subject =
    /: (?<object>[a-z0-9.]+ \S+):/.exec(detail)?.groups?.['object'] ?? detail.split(':')[0] ?? '';
  return [phase, oracle, subject].join('-').replaceAll(/[^\w.]+/g, '-');
}

function simplestFirst(plans: readonly Plan[]): Plan[] {
  const cost = (plan: Plan): string => {
    const step = 'step' in plan ? plan.step : 0;
    const write = 'write' in plan ? plan.write : 0;
    return `${String(step).padStart(4)} ${String(write).padStart(4)} ${planKey(plan)}`;
  };
  return plans.toSorted((a, b) => (cost(a) < cost(b) ? -1 : 1));
}
