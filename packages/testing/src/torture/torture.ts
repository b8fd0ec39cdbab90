import { type KubernetesObject, toMilliseconds } from 'ots-runtime';
import { judge } from './oracles/judge.ts';
import type { Search } from './oracles/search.ts';
import { withFaithfulSnapshots } from './oracles/faithful-snapshots.ts';
import { plansFor } from './plans/plans-for.ts';
import { tally } from './reference/counts.ts';
import { runReference } from './reference/reference.ts';
import { explain } from './report/explain.ts';
import { type Shown, patternOf, problemsOf } from './report/finding.ts';
import type { Finding, Pattern, TortureReport } from './report/torture-report.ts';
import { scenarioOf } from './run/scenario.ts';
import type { TortureOptions, TortureSetup } from './torture-options.ts';

/**
 * Searches for bugs of an operator: lets it go through the life of an object again and again, while it crashes, sees old states, misses
 * others, and users change their minds. All of that happens in this process, in virtual time, and in the same way for the same seed.
 *
 * ```ts
 * const { findings } = await torture(setup, { budget: '10s' });
 * expect(findings).toEqual([]);
 * ```
 *
 * @returns what it found
 * @throws {TestEnvironmentError} when the operator writes nothing
 * @throws {DifferentTracesError} when two runs with the same seed write different things: the operator depends on something outside
 * @throws what a change, `prepare` or `start` throws when nothing disturbs the operator
 */
export async function torture<T extends KubernetesObject>(
  setup: TortureSetup<T>,
  options: TortureOptions = {},
): Promise<TortureReport> {
  const { seed = 1, plans: chosen, share = { index: 0, of: 1 } } = options;
  const begun = performance.now();
  const steps = scenarioOf(setup);
  const reference = await runReference(setup, steps, seed);
  const search = await withFaithfulSnapshots({ setup, steps, reference, seed });
  const known = plansFor(reference, setup);
  const plans = (chosen ?? known.all).filter((_, index) => index % share.of === share.index);
  const { shown, tried, patterns, prevented, fields } = await tryAll(search, plans, options);
  const findings: Finding[] = [];
  for (const problem of problemsOf(shown)) {
    const finding = await explain(search, problem);
    if (finding) findings.push(finding);
  }
  const { name, namespace } = setup.object.metadata;
  return {
    object: `${setup.object.kind} ${namespace ? `${namespace}/` : ''}${name}`,
    seed,
    writes: reference.writes.map(({ text }) => text),
    plans: { all: plans.length, tried, skipped: chosen ? 0 : known.skipped },
    patterns: [...patterns],
    milliseconds: performance.now() - begun,
    findings,
    prevented: tally(prevented),
    fields,
    masked: reference.mask.map(([object, ...path]) => `${object}: ${path.join('.')}`),
  };
}

/** What became of the plans that were tried. */
interface Outcome {
  readonly shown: readonly Shown[];
  readonly tried: number;
  readonly patterns: ReadonlySet<Pattern>;
  /** The objects that were not deleted, once for each time. */
  readonly prevented: readonly string[];
  /** The fields of the spec that changed, and whether a change was visible elsewhere. */
  readonly fields: Readonly<Record<string, boolean>>;
}

/** Tries plans until the time is up. */
async function tryAll(
  search: Search,
  plans: ReturnType<typeof plansFor>['all'],
  { budget, signal, onProgress }: TortureOptions,
): Promise<Outcome> {
  const end = budget === undefined ? Infinity : performance.now() + toMilliseconds(budget);
  const shown: Shown[] = [];
  const patterns = new Set<Pattern>();
  const prevented: string[] = [];
  const fields: Record<string, boolean> = {};
  let tried = 0;
  for (const plan of plans) {
    if (performance.now() >= end || signal?.aborted) break;
    onProgress?.({ plan, tried, plans: plans.length, findings: problemsOf(shown).length });
    const { verdicts, fingerprint, run, field } = await judge(search, plan);
    shown.push(...verdicts.map((verdict) => ({ plan, verdict, fingerprint })));
    patterns.add(patternOf({ plan }));
    prevented.push(...(run?.preventedDeletions ?? []));
    if (field) fields[field.path] = (fields[field.path] ?? false) || field.isVisible;
    tried += 1;
  }
  return { shown, tried, patterns, prevented, fields };
}
