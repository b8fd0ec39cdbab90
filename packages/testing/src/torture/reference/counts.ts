import type { TortureRun } from '../run/torture-run.ts';

/** How often an operator created and deleted, by resource. */
export interface Counts {
  readonly created: Readonly<Record<string, number>>;
  readonly deleted: Readonly<Record<string, number>>;
}

/** Counts what the operator of a run created and deleted in a step. */
export function countsOf(run: TortureRun, step: number): Counts {
  const writes = run.writes.filter((write) => write.step === step);
  const [first] = writes;
  const deletions = first
    ? run.effectsSince(first.traced).filter(({ verb }) => verb === 'delete' || verb === 'deletecollection')
    : [];
  return {
    created: tally(writes.filter(({ isCreation }) => isCreation).map(({ observed }) => observed.resource)),
    deleted: tally(deletions.map(({ resource }) => resource)),
  };
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** What was done more often than in the reference, one line each, such as `pods: 2 were deleted, and 1 without the disturbance`. */
export function moreThan(counts: Counts, reference: Counts, compared: readonly (keyof Counts)[]): string[] {
  return compared.flatMap((what) =>
    Object.entries(counts[what])
      .filter(([resource, count]) => count > (reference[what][resource] ?? 0))
      .map(([resource, count]) => {
        const usual = reference[what][resource] ?? 0;
        return `${resource}: ${count} ${count === 1 ? 'was' : 'were'} ${what}, and ${usual} without the disturbance`;
      }),
  );
}
