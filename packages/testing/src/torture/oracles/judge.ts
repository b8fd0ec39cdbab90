import type { ClusterState } from '../../convergence/cluster-state.ts';
import type { Plan } from '../plans/plan.ts';
import { type Counts, countsOf, moreThan } from '../reference/counts.ts';
import { inRun, observe } from '../reference/reference.ts';
import { fingerprintOf } from '../reference/same-trace.ts';
import { differencesTo } from '../reference/until-equal.ts';
import { ActError } from '../run/act-error.ts';
import type { TortureRun } from '../run/torture-run.ts';
import { judgeDeletion } from './judge-deletion.ts';
import { judgeEdit } from './judge-edit.ts';
import { comparableIn, judgeFresh } from './judge-fresh.ts';
import { judgeRollback } from './judge-rollback.ts';
import { judgeSpec } from './judge-spec.ts';
import { ownVerdicts } from './own-oracles.ts';
import { type Search, compareAfter, expectedAfter, startAt, stateOf } from './search.ts';
import { strayDeletionsOf } from './stray-deletions.ts';
import { undisturbedVerdicts } from './undisturbed.ts';
import { type Verdict, verdictOf, verdictOfError } from './verdict.ts';

/** How long an operator may still do harm when all looks well, in virtual milliseconds. */
const aftermathMs = 30_000;

/** How long an operator has to notice that workloads fail, in virtual milliseconds: less than they fail. */
const reactionMs = 2 * 60_000;

/** What became of a plan. */
export interface Judgement extends Trial {
  /** What the run wrote, in a few characters: equal for equal runs. */
  readonly fingerprint: string;
}

/** A run, and what the oracles say. */
export interface Trial {
  readonly verdicts: readonly Verdict[];
  /** The run that shows it; undefined if a user could not do what the plan asks for. */
  readonly run: TortureRun | undefined;
  /** The field of the spec that the plan changes, and whether that is visible anywhere else. */
  readonly field?: { readonly path: string; readonly isVisible: boolean };
}

/** A plan that happens in a step, and the step at whose end all must be well again. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** Runs a plan, and lets the oracles judge it. The run has ended. */
export async function judge(search: Search, plan: Plan, explains = false): Promise<Judgement> {
  try {
    // The reference has seen it, but has no timeline.
    if (plan.phase === 'undisturbed' && !explains)
      return { ...undisturbed(search), fingerprint: search.reference.fingerprint };
    const trial = await judgeWithEvents(search, plan, explains);
    return { ...trial, fingerprint: fingerprintOf(trial.run?.environment.trace ?? []) };
  } catch (error) {
    // Then the plan says nothing about the operator.
    if (error instanceof ActError) return { verdicts: [], run: undefined, fingerprint: '' };
    throw error;
  }
}

function undisturbed({ reference, steps }: Search): Trial {
  return { verdicts: undisturbedVerdicts(reference, steps), run: undefined };
}

/** An operator that looks at Events only now, because something went wrong, gets those of simulated components, too. */
async function judgeWithEvents(search: Search, plan: Plan, explains: boolean): Promise<Trial> {
  const { reference } = search;
  const trial = await judgePlan(search, plan, explains);
  if (reference.readsEvents || !trial.run?.readsEvents) return trial;
  return judgePlan({ ...search, reference: { ...reference, readsEvents: true } }, plan, explains);
}

async function judgePlan(search: Search, plan: Plan, explains: boolean): Promise<Trial> {
  if (plan.phase === 'undisturbed') {
    const { setup, steps, seed, reference } = search;
    const { run } = await observe(
      setup,
      steps,
      { seed, explains, storesEvents: reference.readsEvents, rests: !reference.isAtRest },
      reference.scope,
    );
    return { ...undisturbed(search), run };
  }
  if (plan.phase === 'fresh') return judgeFresh(search, plan, explains);
  if (plan.phase === 'spec' || plan.phase === 'spec-pair') return judgeSpec(search, plan, explains);
  if (plan.phase === 'rollback') return judgeRollback(search, plan, explains);
  if (plan.phase === 'deletion') return judgeDeletion(search, plan, explains);
  if (plan.phase === 'edit' || plan.phase === 'child-deletion') return judgeEdit(search, plan, explains);
  const { from, to } = spanOf(plan, search.steps.length);
  const run = await startAt(search, from, plan, {
    explains,
    elects: plan.phase === 'takeover',
    repeats: plan.phase === 'duplicates',
    ...(plan.phase === 'order' && { order: plan.seed }),
  });
  return inRun(run, async () => ({ run, verdicts: await verdictsOf(search, plan, run, { from, to }) }));
}

/** Orders and duplicates concern the whole scenario. Who misses something, or is interrupted, has to make up for it in the next step. */
function spanOf(plan: Plan, steps: number): Span {
  if (plan.phase === 'order' || plan.phase === 'duplicates') return { from: 0, to: steps - 1 };
  if (plan.phase === 'takeover') return { from: plan.step, to: plan.takesOver };
  if (plan.phase === 'missed') return { from: plan.step, to: plan.until };
  const { step } = plan as { step: number };
  return { from: step, to: plan.phase === 'interruption' ? step + 1 : step };
}

async function verdictsOf(
  search: Search,
  plan: Plan,
  run: TortureRun,
  { from, to }: Span,
): Promise<Verdict[]> {
  const { reference } = search;
  // What is made again, or never was as the reference, has another past.
  const comparable = ['recreation', 'interruption', 'missed'].includes(plan.phase)
    ? comparableIn(search)
    : (state: ClusterState) => state;
  const look = (): ClusterState => comparable(stateOf(run, reference));
  if (plan.phase === 'takeover') await run.startStandby();
  try {
    for (let step = from; step < to; step += 1) await run.perform(step);
    await run.begin(to);
    const failing = plan.phase === 'workload' ? await verdictsWhileFailing(search, run) : [];
    if (failing.length > 0) return failing;
    if (isEndedByPlan(plan)) await run.advance(search.setup.time ?? '1m');
    await run.stepEnds();
    const expected = comparable(expectedAfter(to, reference));
    const compare = compareAfter(to, reference);
    const found = await differencesTo(run, expected, look, compare);
    if (found.length > 0) return verdictOf('converges', found);
    await run.advance(aftermathMs);
    const after = compare(look(), expected);
    if (after.length > 0) return verdictOf('converges', after);
  } catch (error) {
    return verdictOfError(error);
  }
  const strays = verdictOf('identity', strayDeletionsOf(run, reference));
  // That says why there are more deletions.
  const deletions = strays.length > 0 ? strays : countsVerdict(search, plan, run, to);
  return [...deletions, ...(await ownVerdicts(search.setup, search.steps, run))];
}

/** What the author says about an operator whose workloads fail. */
async function verdictsWhileFailing({ setup, steps }: Search, run: TortureRun): Promise<Verdict[]> {
  if (!setup.oracles?.some((oracle) => oracle.checkWhileFailing !== undefined)) return [];
  await run.advance(reactionMs);
  return ownVerdicts(setup, steps, run, 'checkWhileFailing');
}

/** Whether a plan does something when the operator has had its time. */
function isEndedByPlan(plan: Plan): boolean {
  return plan.phase === 'takeover' || (plan.phase === 'missed' && plan.until === plan.step);
}

function countsVerdict({ reference }: Search, plan: Plan, run: TortureRun, step: number): Verdict[] {
  const { counts } = reference.stages[step]!;
  // When the object goes, the garbage collector and the operator may take turns for a while.
  const isDeletion = step === reference.stages.length - 1;
  const compared = comparedCounts(plan).filter((what) => what === 'deleted' || !isDeletion);
  const details = moreThan(countsOf(run, step), counts, compared, expectedAfter(step, reference));
  return verdictOf('counts', details);
}

/**
 * What an operator must not do more often than in the reference. It may create again what it does not see, or what belongs to an object
 * whose deletion it does not see yet. It may delete more only if there is more to delete.
 */
function comparedCounts({ phase }: Plan): readonly (keyof Counts)[] {
  if (['interruption', 'recreation', 'missed', 'order'].includes(phase)) return [];
  return phase === 'stale' || phase === 'takeover' ? ['deleted'] : ['deleted', 'created'];
}
