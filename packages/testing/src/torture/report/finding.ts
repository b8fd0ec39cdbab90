import type { Verdict } from '../oracles/verdict.ts';
import { describePlan } from '../plans/describe-plan.ts';
import { type Plan, planKey } from '../plans/plan.ts';
import type { Reference } from '../reference/reference.ts';
import type { Step } from '../run/scenario.ts';
import type { Finding, Pattern } from './torture-report.ts';

/** A verdict, and the plan that led to it; undefined if nothing disturbed the operator. */
export interface Shown {
  readonly plan?: Plan;
  readonly verdict: Verdict;
}

const patterns: Record<Plan['phase'], Pattern> = {
  crash: 'crash',
  restart: 'crash',
  'lost-response': 'crash',
  refusal: 'refused request',
  stale: 'stale view',
  takeover: 'second replica',
  missed: 'missed state',
  interruption: 'missed state',
  recreation: 'deletion',
  fresh: 'changed spec',
  spec: 'changed spec',
  order: 'order',
  duplicates: 'order',
};

/** Puts together what is the same: the same oracle, sort of plan, and thing that is wrong. */
export function findingsOf(
  shown: readonly Shown[],
  steps: readonly Step[],
  reference: Pick<Reference, 'stages'>,
): Finding[] {
  const found = new Map<
    string,
    { oracle: string; details: readonly string[]; plans: Plan[]; pattern: Pattern }
  >();
  for (const { plan, verdict } of shown) {
    const pattern = plan ? patterns[plan.phase] : 'undisturbed';
    const id = idOf(pattern, verdict);
    const known = found.get(id) ?? { ...verdict, pattern, plans: [] };
    found.set(id, known);
    if (plan) known.plans.push(plan);
  }
  return [...found].map(([id, { oracle, pattern, details, plans }]) => {
    const [plan] = simplestFirst(plans);
    return {
      id,
      pattern,
      oracle,
      consequence: details[0] ?? '',
      details,
      ...(plan && { plan }),
      description: plan ? describePlan(plan, steps, reference) : 'Nothing disturbs the operator',
      plans: plans.length,
      timeline: [],
      cure: '',
      link: '',
    };
  });
}

function idOf(pattern: Pattern, { oracle, details: [detail = ''] }: Verdict): string {
  const subject = /(?<object>[a-z0-9.]+ [a-z0-9.-]+\/?[a-z0-9.-]*):/.exec(detail)?.groups?.['object'] ?? '';
  return [pattern, oracle, subject]
    .filter((part) => part !== '')
    .join(' ')
    .replaceAll(/[^\w.]+/g, '-');
}

function simplestFirst(plans: readonly Plan[]): Plan[] {
  const cost = (plan: Plan): string => {
    const step = 'step' in plan ? plan.step : 0;
    const write = 'write' in plan ? plan.write : 0;
    return `${String(step).padStart(4)} ${String(write).padStart(4)} ${planKey(plan)}`;
  };
  return plans.toSorted((a, b) => (cost(a) < cost(b) ? -1 : 1));
}
