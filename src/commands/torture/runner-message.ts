import type { TorturePlan, TortureProgress, TortureReport } from 'ots-testing';
import type { Sample } from '../../torture/torture-result.ts';

/** What a process of the search does. */
export interface SearchInput {
  readonly sample: Sample;
  /** Whether the operator works in its own namespace alone. */
  readonly namespaced: boolean;
  readonly seed: number;
  /** How long to try plans, in seconds; absent for all plans. */
  readonly budget?: number;
  /** Absent for all plans. */
  readonly plans?: readonly TorturePlan[];
  readonly share: { readonly index: number; readonly of: number };
}

/** To a process of the search. */
export type ToRunner =
  | { readonly type: 'search'; readonly input: SearchInput }
  /** Report what was found so far. */
  | { readonly type: 'stop' };

/** From a process of the search. */
export type FromRunner =
  /** The process does not hang. */
  | { readonly type: 'alive' }
  | { readonly type: 'progress'; readonly progress: SearchProgress }
  | { readonly type: 'report'; readonly report: TortureReport }
  | { readonly type: 'failed'; readonly problem: string; readonly hint?: string };

/** How far a process is, with the plan that was tried last if the library says so. */
export type SearchProgress = TortureProgress & { readonly plan?: TorturePlan };
