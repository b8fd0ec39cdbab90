import type { TorturePlan } from 'ots-testing';
import { mergeReports } from '../../torture/merge-reports.ts';
import type { Sample, SampleFailure, SampleReport } from '../../torture/torture-result.ts';
import { Budget } from './budget.ts';
import type { SearchInput, SearchProgress } from './runner-message.ts';
import { type SearchEnd, type SearchProcessOptions, runSearch } from './search-process.ts';

/** What is searched, and how thoroughly. */
export interface Search {
  readonly samples: readonly Sample[];
  /** Whether the operator works in its own namespace alone. */
  readonly namespaced: boolean;
  readonly seed: number;
  /** For all samples together, in milliseconds; undefined for all plans. */
  readonly budgetMs: number | undefined;
  /** Undefined for all plans. */
  readonly plans: readonly TorturePlan[] | undefined;
  /** How many processes share the plans of a sample. */
  readonly processes: number;
}

/** How far all processes of a sample are. */
export type TotalProgress = Omit<SearchProgress, 'plan'>;

/** What a search found. */
export interface Found {
  readonly reports: readonly SampleReport[];
  readonly failures: readonly SampleFailure[];
}

/**
 * Searches with one sample after the other. One that fails does not stop the others.
 *
 * @param now the current time
 * @param onProgress knows how far the search with a sample is; without progress while the operator runs undisturbed
 */
export async function search(
  { samples, namespaced, seed, budgetMs, plans, processes }: Search,
  options: SearchProcessOptions & { readonly now: () => Date },
  onProgress: (sample: Sample, progress?: TotalProgress) => void,
): Promise<Found> {
  const reports: SampleReport[] = [];
  const failures: SampleFailure[] = [];
  const budget =
    budgetMs === undefined ? undefined : new Budget(budgetMs, samples.length, () => options.now().getTime());
  for (const sample of samples) {
    if (options.signal.aborted) break;
    onProgress(sample);
    const input = {
      sample,
      namespaced,
      seed,
      ...(budget && { budget: budget.next() }),
      ...(plans && { plans }),
    };
    const ends = await searchWith(input, processes, options, (progress) => {
      budget?.tried();
      onProgress(sample, progress);
    });
    budget?.end();
    const [first, ...others] = ends.flatMap(({ report }) => report ?? []);
    if (first) reports.push({ sample, report: mergeReports([first, ...others]) });
    const [failure] = ends.flatMap((end) => end.failure ?? []);
    if (failure) failures.push({ sample, ...failure });
  }
  return { reports, failures };
}

/** Shares the plans among processes, and adds up how far they are. */
function searchWith(
  input: Omit<SearchInput, 'share'>,
  processes: number,
  options: SearchProcessOptions,
  onProgress: (progress: TotalProgress) => void,
): Promise<SearchEnd[]> {
  const all = new Map<number, SearchProgress>();
  const sum = (key: 'tried' | 'plans' | 'findings'): number =>
    [...all.values()].reduce((total, progress) => total + progress[key], 0);
  return Promise.all(
    Array.from({ length: processes }, (_, index) =>
      runSearch({ ...input, share: { index, of: processes } }, options, (progress) => {
        all.set(index, progress);
        onProgress({ tried: sum('tried'), plans: sum('plans'), findings: sum('findings') });
      }),
    ),
  );
}
