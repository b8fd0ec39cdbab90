import { type Judgement, judge } from '../oracles/judge.ts';
import type { Search } from '../oracles/search.ts';
import { describePlan } from '../plans/describe-plan.ts';
import type { Plan } from '../plans/plan.ts';
import { keepLongStacks } from '../run/source-line.ts';
import type { PlacedWrite } from '../run/placed-write.ts';
import type { TortureRun } from '../run/torture-run.ts';
import { consequenceOf } from './consequence.ts';
import { cureOf } from './cure.ts';
import type { Problem, Shown } from './finding.ts';
import { subjectOf } from './subject.ts';
import type { Finding, TimelineEntry } from './torture-report.ts';

/** How many lines of a timeline a finding keeps: the last ones. */
const maxEntries = 60;

/** How many plans of a problem are tried again: the simplest ones, up to the first that shows it. */
const maxTries = 3;

/**
 * Runs the simplest plan that shows a problem once more, and remembers what happened.
 *
 * @returns undefined if the problem does not show again: then it was that of a busy machine, such as an operator that seemed to hang
 */
export async function explain(search: Search, problem: Problem): Promise<Finding | undefined> {
  const restore = keepLongStacks();
  try {
    for (const shown of problem.shown.slice(0, maxTries)) {
      const judgement = await judge(search, shown.plan, true);
      const isShownAgain = judgement.verdicts.some(({ oracle }) => oracle === shown.verdict.oracle);
      if (isShownAgain) return findingOf(search, problem, shown, judgement);
    }
    return undefined;
  } finally {
    restore();
  }
}

function findingOf(
  search: Search,
  { id, pattern, shown }: Problem,
  { plan, verdict: { oracle, details }, fingerprint }: Shown,
  { run, fingerprint: again }: Judgement,
): Finding {
  const cause = run && causeOf(run, plan, details[0] ?? '');
  return {
    id,
    pattern,
    oracle,
    consequence: consequenceOf(details[0] ?? ''),
    details: details.map(consequenceOf),
    plans: shown.length,
    ...cureOf(pattern, oracle),
    plan,
    description: describePlan(plan, search.steps, search.reference),
    replays: again === fingerprint,
    timeline: marked(run?.timeline ?? [], cause?.text).slice(-maxEntries),
    ...(cause?.source && { source: cause.source }),
  };
}

/** The write that a plan disturbs, or else the last one to the object that is wrong. */
function causeOf(run: TortureRun, plan: Plan, detail: string): PlacedWrite | undefined {
  const { object } = subjectOf(detail);
  const last = run.writes.findLast(({ text }) => object !== '' && text.endsWith(` ${object}`));
  const isAtWrite = 'write' in plan && plan.phase !== 'stale' && plan.phase !== 'takeover';
  if (!isAtWrite) return last;
  return run.writes.find(({ step, write }) => step === plan.step && write === plan.write) ?? last;
}

function marked(timeline: readonly TimelineEntry[], cause: string | undefined): TimelineEntry[] {
  return timeline.map((entry) =>
    entry.actor === 'operator' && entry.what === cause ? { ...entry, isCause: true } : entry,
  );
}
