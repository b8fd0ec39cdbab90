import type { ClusterState } from '../../convergence/cluster-state.ts';
import { differences } from '../../convergence/differences.ts';
import type { Reference } from '../reference/reference.ts';
import { interferenceOf } from '../run/interference.ts';
import { masked } from '../run/mask.ts';
import type { Step } from '../run/scenario.ts';
import { isClaim } from '../run/scope.ts';
import { type RunOptions, TortureRun } from '../run/torture-run.ts';
import type { TortureSetup } from '../torture-options.ts';
import type { Plan } from '../plans/plan.ts';

/** What all plans of a search share. */
export interface Search {
  readonly setup: TortureSetup;
  readonly steps: readonly Step[];
  readonly reference: Reference;
  readonly seed: number;
  /** The steps whose snapshots do not hold all that the cluster knows, so that plans start from the beginning. */
  readonly unfaithful: ReadonlySet<number>;
}

/** What is in a cluster, as far as it belongs to the operator and is not decided by chance. */
export function stateOf(run: TortureRun, { scope, mask }: Reference): ClusterState {
  return masked(run.state(scope), mask);
}

/** What must be in the cluster after a step. */
export function expectedAfter(step: number, { expected }: Reference): ClusterState {
  return expected[step]!;
}

/** Compares states of a cluster, a line for each difference. */
export type Compare = (actual: ClusterState, expected: ClusterState) => string[];

/**
 * How to compare after a step. When the object is gone, what is left of it depends on what there was before: only what the reference
 * does not leave behind counts, and claims only if it leaves none.
 */
export function compareAfter(step: number, { stages }: Reference): Compare {
  const { parent, state } = stages[step]!;
  if (parent) return differences;
  const leavesClaims = Object.keys(state).some(isClaim);
  return (actual, expected) =>
    Object.keys(actual)
      .filter((name) => !(name in expected) && !(leavesClaims && isClaim(name)))
      .map((name) => `${name}: "is there" instead of nothing`);
}

/**
 * Starts the run of a plan before one of the steps: from a snapshot, or with the steps before.
 *
 * @param steps default those of the search
 */
export async function startAt(
  { setup, steps, reference, seed, unfaithful }: Search,
  step: number,
  plan: Plan,
  options: Partial<RunOptions> & { steps?: readonly Step[] } = {},
): Promise<TortureRun> {
  const { steps: own = steps, ...others } = options;
  const storesEvents = reference.readsEvents;
  const common = { seed, storesEvents, kind: reference.kind, interference: interferenceOf(plan), ...others };
  // The first step has nothing before it but the definitions and what `prepare` did.
  if (!unfaithful.has(step))
    return TortureRun.start(setup, own, { ...common, from: reference.stages[step]!.before, step });
  const run = await TortureRun.start(setup, own, common);
  for (let index = 0; index < step; index += 1) await run.perform(index);
  return run;
}
