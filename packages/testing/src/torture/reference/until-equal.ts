import type { ClusterState } from '../../convergence/cluster-state.ts';
import { differences } from '../../convergence/differences.ts';
import type { TortureRun } from '../run/torture-run.ts';

/** When to look whether a run has come to the same end as the reference, in virtual milliseconds since the last look: often at first, as
 * most operators need no time, and for eleven minutes in all. */
const looks = [0, 1000, 2000, 4000, 8000, 15_000, ...Array.from({ length: 21 }, () => 30_000)];

/**
 * Moves time until a cluster is in a state and nothing is held back any more, but not further.
 *
 * @param look reads the state
 * @param compare says what differs
 * @returns what still differs after eleven minutes
 */
export async function differencesTo(
  run: TortureRun,
  expected: ClusterState,
  look: () => ClusterState,
  compare: (actual: ClusterState, expected: ClusterState) => string[] = differences,
): Promise<string[]> {
  let found: string[] = [];
  for (const milliseconds of looks) {
    await run.advance(milliseconds);
    if (run.isBusy) continue;
    found = compare(look(), expected);
    if (found.length === 0) return [];
  }
  return found.length > 0 || !run.isBusy ? found : ['the object is still being deleted'];
}
