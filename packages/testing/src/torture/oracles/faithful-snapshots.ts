import { judge } from './judge.ts';
import type { Search } from './search.ts';

/**
 * Tries each step from its snapshot with an operator that has just started and that nothing disturbs. Where that does not end as in the
 * reference, the snapshot lacks something, such as the data of simulated applications, or what an operator keeps in memory. Plans of
 * such a step start from the beginning.
 */
export async function withFaithfulSnapshots(search: Omit<Search, 'unfaithful'>): Promise<Search> {
  const unfaithful = new Set<number>();
  for (const step of search.steps.keys()) {
    if (!(await endsAsReference({ ...search, unfaithful: new Set() }, step))) unfaithful.add(step);
  }
  return { ...search, unfaithful };
}

/** An operator that does not even start from a snapshot is one that needs what only `prepare` does. */
async function endsAsReference(search: Search, step: number): Promise<boolean> {
  try {
    const { verdicts } = await judge(search, { phase: 'restart', step });
    return verdicts.length === 0;
  } catch {
    return false;
  }
}
