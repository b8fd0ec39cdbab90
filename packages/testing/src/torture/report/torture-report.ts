import type { Plan } from '../plans/plan.ts';

/** What {@link torture} found. JSON. */
export interface TortureReport {
  /** Such as `Memcached default/memcached-sample`. */
  readonly object: string;
  readonly seed: number;
  /** The writes of the undisturbed operator, such as `patch deployments.apps default/web`. */
  readonly writes: readonly string[];
  /** How many plans there are, how many were tried, and how many were skipped because they cannot differ from one that was. */
  readonly plans: { readonly all: number; readonly tried: number; readonly skipped: number };
  /** What disturbed the operator in the plans that were tried. */
  readonly patterns: readonly Pattern[];
  /** How long the search took, in milliseconds of real time. */
  readonly milliseconds: number;
  /** What the operator does wrong, the most severe first. */
  readonly findings: readonly Finding[];
  /**
   * What the operator would have deleted by mistake: how often the server refused a deletion because the object was another one than that
   * with the UID in its preconditions, by object, such as `pods default/db-0`. `client.delete` sends the UID of an object that it receives.
   */
  readonly prevented: Readonly<Record<string, number>>;
  /**
   * The fields of the spec that plans changed, such as `spec.replicas`, and whether one of these changes was visible in other objects or in
   * the status. A field without a visible effect is not wrong: it may decide what happens later.
   */
  readonly fields: Readonly<Record<string, boolean>>;
  /** What differs from run to run although nothing disturbs the operator, and so is not compared, such as `Secret default/tls: data.key`. */
  readonly masked: readonly string[];
}

/** What disturbs the operator, or what users do, when a finding shows. */
export type Pattern =
  | 'undisturbed'
  | 'crash'
  | 'stale view'
  | 'missed state'
  | 'order'
  | 'refused request'
  | 'changed spec'
  | 'deletion'
  | 'edit by hand'
  | 'failing workload'
  | 'second replica';

/** Something that an operator does wrong. */
export interface Finding {
  /** The same for the same problem in another run, such as `crash-converges-statefulsets.apps`. For a baseline. */
  readonly id: string;
  readonly pattern: Pattern;
  /** The name of the oracle that saw it, such as `converges`. */
  readonly oracle: string;
  /** What is wrong, in one line. */
  readonly consequence: string;
  /** All that is wrong, one line each. */
  readonly details: readonly string[];
  /** The smallest plan that shows it. */
  readonly plan: Plan;
  /** What the plan does, in words. */
  readonly description: string;
  /** How many plans show it. */
  readonly plans: number;
  /** Whether the plan led to the same writes when it was tried again. */
  readonly replays: boolean;
  /** What the operator saw and wrote, and what happened to it, in order. */
  readonly timeline: readonly TimelineEntry[];
  /** Where the author's code makes the write that is wrong, or the one that the plan disturbs; undefined if it is not known. */
  readonly source?: { readonly file: string; readonly line: number };
  /** What usually cures it, in one or two sentences. */
  readonly cure: string;
  /** Where the documentation explains that, such as `docs/runtime/patterns.md#two-writes`. */
  readonly link: string;
}

/** One line of a timeline. */
export interface TimelineEntry {
  /** Since the beginning of the run, in milliseconds of the cluster. */
  readonly time: number;
  readonly actor: 'user' | 'operator' | 'server' | 'plan';
  /** Such as `patch statefulsets.apps default/db`. */
  readonly what: string;
  /** Whether it is what the finding is about. */
  readonly isCause?: boolean;
}
