import { judge } from '../oracles/judge.ts';
import type { Search } from '../oracles/search.ts';
import { describePlan } from '../plans/describe-plan.ts';
import type { Plan } from '../plans/plan.ts';
import { keepLongStacks } from '../run/source-line.ts';
import type { PlacedWrite } from '../run/placed-write.ts';
import type { TortureRun } from '../run/torture-run.ts';
import { consequenceOf } from './consequence.ts';
import { cureOf } from './cure.ts';
import type { Problem } from './finding.ts';
import { subjectOf } from './subject.ts';
import type { Finding, TimelineEntry } from './torture-report.ts';

/** How many lines of a timeline a finding keeps: the last ones. */
const maxEntries = 60;

/** Runs the simplest plan that shows a problem once more, and remembers what happened. */
export async function explain(search: Search, { id, pattern, shown }: Problem): Promise<Finding> {
  const [{ plan, verdict, fingerprint }] = shown as [Problem['shown'][0]];
  const { oracle, details } = verdict;
  const common = {
    id,
    pattern,
    oracle,
    consequence: consequenceOf(details[0] ?? ''),
    details: details.map(consequenceOf),
    plans: shown.length,
    ...cureOf(pattern, oracle),
  };
  const restore = keepLongStacks();
  try {
    const { run, fingerprint: again } = await judge(search, plan, true);
    const cause = run && causeOf(run, plan, details[0] ?? '');
    return {
      ...common,
      plan,
      description: describePlan(plan, search.steps, search.reference),
      replays: again === fingerprint,
      timeline: marked(run?.timeline ?? [], cause?.text).slice(-maxEntries),
      ...(cause?.source && { source: cause.source }),
    };
  } finally {
    restore();
  }
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
