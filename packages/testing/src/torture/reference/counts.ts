import type { ClusterState } from '../../convergence/cluster-state.ts';
import type { TortureRun } from '../run/torture-run.ts';

/** How often an operator created and deleted. */
export interface Counts {
  /** By resource, such as `pods`: names may be generated. */
  readonly created: Readonly<Record<string, number>>;
  /** By object, such as `pods default/db-0`. */
  readonly deleted: Readonly<Record<string, number>>;
}

/** Counts what the operator of a run created and deleted in a step. */
export function countsOf(run: TortureRun, step: number): Counts {
  const writes = run.writes.filter((write) => write.step === step);
  const [first] = writes;
  const deletions = first ? run.effectsSince(first.traced).filter(({ verb }) => verb === 'delete') : [];
  return {
    created: tally(writes.filter(({ isCreation }) => isCreation).map(({ observed }) => observed.resource)),
    deleted: tally(
      deletions.map(({ resource, namespace, name }) => `${resource} ${namespace && `${namespace}/`}${name}`),
    ),
  };
}

/** How often each name occurs. */
export function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/**
 * What was done more often than in the reference, one line each, such as `pods: created 2 times, and once without the disturbance`. A deletion
 * counts only for an object that should be there in the end: another one, that was made for an old state, has to go.
 *
 * @param expected the state in the end
 */
export function moreThan(
  counts: Counts,
  reference: Counts,
  compared: readonly (keyof Counts)[],
  expected: ClusterState,
): string[] {
  return compared.flatMap((what) =>
    Object.entries(counts[what])
      .filter(([name, count]) => count > (reference[what][name] ?? 0))
      .filter(([name]) => what === 'created' || name in expected)
      .map(
        ([name, count]) =>
          `${name}: ${what} ${times(count)}, and ${times(reference[what][name] ?? 0)} without the disturbance`,
      ),
  );
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
