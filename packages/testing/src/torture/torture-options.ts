import type { ConnectionConfig, KubernetesObject, LeaderElectionOptions, Manager } from 'ots-runtime';
import type { ConvergenceOptions, StartContext } from '../convergence/convergence-options.ts';
import type { Oracle } from './oracles/oracle.ts';
import type { Plan } from './plans/plan.ts';

/** Where an operator starts, and whether it competes for a lease. */
export interface TortureStartContext extends StartContext {
  /** That of the manager, where there are two replicas. */
  readonly leaderElection?: LeaderElectionOptions | undefined;
}

/** An operator, and what users do with one of its objects. */
export interface TortureSetup<T extends KubernetesObject = KubernetesObject> extends Omit<
  ConvergenceOptions<T>,
  'maxWrites' | 'start'
> {
  /**
   * Creates a manager with its controllers and webhooks, and does not start it. It is called for each life of the operator.
   *
   * @param connection that of the identity
   */
  start: (connection: ConnectionConfig, context: TortureStartContext) => Manager | Promise<Manager>;
  /** The lease that replicas compete for. Default: there is only one replica. */
  leaderElection?: LeaderElectionOptions;
  /**
   * Whether the operator repairs what people edit or delete by hand of the objects that it created, other than those that `spare` names.
   * Default false: many operators create some objects once, such as a generated password.
   */
  repairsEdits?: boolean;
  /** What must hold besides at the end of each plan. Default: nothing. */
  oracles?: readonly Oracle[];
}

/** How thoroughly {@link torture} searches. */
export interface TortureOptions {
  /** Decides all chance: the order of what arrives, UIDs, and the random numbers of the operator. An integer. Default 1. */
  seed?: number;
  /** How long to try plans at most, in real time. It starts when the undisturbed operator is known. Default: until all have been tried. */
  budget?: `${number}s` | `${number}m`;
  /** Tries only these plans, such as the one of a finding. Default: all. */
  plans?: readonly Plan[];
  /** Tries one part of the plans, for several processes that share them: the `index`th of `of` parts, from 0. Default: all plans. */
  share?: { readonly index: number; readonly of: number };
  /** Ends the search early: the report then has what was found up to then. */
  signal?: AbortSignal;
  /** Knows how far the search is. It is called before each plan. */
  onProgress?: (progress: TortureProgress) => void;
}

/** How far a search is. */
export interface TortureProgress {
  /** The plan that is tried now. */
  readonly plan: Plan;
  /** How many plans have been tried. */
  readonly tried: number;
  /** How many plans there are. */
  readonly plans: number;
  /** How many different findings there are up to now. */
  readonly findings: number;
}
