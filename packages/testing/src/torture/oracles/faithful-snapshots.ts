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
    const { verdicts } = await judge({ ...search, unfaithful: new Set() }, { phase: 'restart', step });
    if (verdicts.length > 0) unfaithful.add(step);
  }
  return { ...search, unfaithful };
}
