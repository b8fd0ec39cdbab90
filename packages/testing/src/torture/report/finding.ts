import type { Verdict } from '../oracles/verdict.ts';
import type { Plan } from '../plans/plan.ts';
import { subjectOf } from './subject.ts';
import type { Pattern } from './torture-report.ts';

/** A verdict, and the plan that led to it. */
export interface Shown {
  readonly plan: Plan;
  readonly verdict: Verdict;
  /** The run, in a few characters: equal for equal runs. */
  readonly fingerprint: string;
}

/** The same problem, and all that shows it, the simplest first. */
export interface Problem {
  readonly id: string;
  readonly pattern: Pattern;
  readonly shown: readonly Shown[];
}

const patterns: Record<Plan['phase'], Pattern> = {
  undisturbed: 'undisturbed',
  crash: 'crash',
  'crash-before': 'crash',
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
  'spec-pair': 'changed spec',
  deletion: 'deletion',
  workload: 'failing workload',
  rollback: 'changed spec',
  edit: 'edit by hand',
  'child-deletion': 'edit by hand',
  order: 'order',
  duplicates: 'order',
};

/** Patterns in which the same mistake shows: it is one problem, and the first of them says how it shows. */
const families: readonly (readonly Pattern[])[] = [
  ['crash', 'refused request'],
  ['stale view', 'second replica', 'missed state', 'order'],
];

/** Puts together what is the same: the same oracle, family of patterns, and field of an object. */
export function problemsOf(shown: readonly Shown[]): Problem[] {
  const groups = new Map<string, Shown[]>();
  for (const one of shown) {
    const family = familyOf(patternOf(one));
    const { object, field } = subjectOf(one.verdict.details[0] ?? '');
    const id = [family, one.verdict.oracle, withoutRandomEnd(object), field]
      .filter(Boolean)
      .join(' ')
      .replaceAll(/[^\w.]+/g, '-');
    groups.set(id, [...(groups.get(id) ?? []), one]);
  }
  return [...groups].map(([id, group]) => {
    const sorted = group.toSorted((a, b) => (costOf(a) < costOf(b) ? -1 : 1));
    return { id, pattern: patternOf(sorted[0]!), shown: sorted };
  });
}

/** Names of Events end in digits that differ between runs, as the runtime chooses them. */
function withoutRandomEnd(object: string): string {
  return object.replace(/^(events\.\S+ .+)[.-][0-9a-f]{16}$/, '$1');
}

export function patternOf({ plan }: Pick<Shown, 'plan'>): Pattern {
  return patterns[plan.phase];
}

function familyOf(pattern: Pattern): Pattern {
  return families.find((family) => family.includes(pattern))?.[0] ?? pattern;
}

/**
 * Orders plans: the earlier patterns of a family first, then those with one change that users certainly make, then the earlier steps and
 * writes.
 */
function costOf(shown: Shown): string {
  const { plan } = shown;
  const pattern = patternOf(shown);
  const rank = families.find((family) => family.includes(pattern))?.indexOf(pattern) ?? 0;
  const isUnusual = 'isGuess' in plan || 'changes' in plan;
  const step = 'step' in plan ? plan.step : 0;
  const write = 'write' in plan ? plan.write : 0;
  const numbers = [rank, Number(isUnusual), step, write].map((number) => String(number).padStart(4));
  return numbers.join(' ') + JSON.stringify(plan);
}
