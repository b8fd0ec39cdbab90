import type { DeepReadonly, UnstructuredObject } from 'ots-runtime';
import type { ClusterState } from '../../convergence/cluster-state.ts';
import { differences } from '../../convergence/differences.ts';
import { withoutHistory } from '../../convergence/without-history.ts';
import type { Plan } from '../plans/plan.ts';
import { inRun } from '../reference/reference.ts';
import { differencesTo } from '../reference/until-equal.ts';
import { creationOf } from '../run/scenario.ts';
import { isClaim } from '../run/scope.ts';
import type { TortureRun } from '../run/torture-run.ts';
import type { Trial } from './judge.ts';
import { type Search, expectedAfter, startAt, stateOf } from './search.ts';
import { verdictOf } from './verdict.ts';

/** An object that is created as it is after some changes ends as one that was changed. */
export async function judgeFresh(
  search: Search,
  plan: Plan & { phase: 'fresh' },
  explains: boolean,
): Promise<Trial> {
  const { reference } = search;
  const parent = reference.stages[plan.step]!.parent!;
  return freshly(search, plan, parent, explains, async (run) => ({
    run,
    verdicts: verdictOf(
      'converges',
      await differencesWhenFresh(search, run, expectedAfter(plan.step, reference)),
    ),
  }));
}

/** Creates an object as it is, without its history. */
export async function freshly<T>(
  search: Search,
  plan: Plan,
  parent: DeepReadonly<UnstructuredObject>,
  explains: boolean,
  work: (run: TortureRun) => Promise<T>,
): Promise<T> {
  const { name, namespace } = parent.metadata;
  const object = withoutHistory(parent, { name: name!, ...(namespace !== undefined && { namespace }) });
  return inRun(await startAt(search, 0, plan, { steps: [creationOf(object)], explains }), async (run) => {
    await run.begin(0);
    return work(run);
  });
}

/** What differs between an object that has changed and one that was made as it is now: what the former has, instead of the latter. */
export async function differencesWhenFresh(
  search: Search,
  run: TortureRun,
  changed: ClusterState,
): Promise<string[]> {
  const comparable = comparableIn(search);
  const found = await differencesOnAnyWay(search, run, changed);
  if (found.length === 0) return [];
  return differences(comparable(changed), comparable(stateOf(run, search.reference)));
}

/** As {@link differencesTo}, but what a StatefulSet keeps of its past does not count. */
export async function differencesOnAnyWay(
  search: Search,
  run: TortureRun,
  expected: ClusterState,
): Promise<string[]> {
  const comparable = comparableIn(search);
  return differencesTo(run, comparable(expected), () => comparable(stateOf(run, search.reference)));
}

/** Leaves out claims that may depend on the past. */
export function comparableIn({ reference }: Search): (state: ClusterState) => ClusterState {
  return reference.scope.claims === 'of the same way' ? withoutClaims : (state) => state;
}

function withoutClaims(state: ClusterState): ClusterState {
  const left = Object.entries(state).filter(([name]) => !isClaim(name));
  return Object.fromEntries(left);
}
