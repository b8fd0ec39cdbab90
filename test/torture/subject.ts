import type { CustomResourceDefinition } from 'ots-kubernetes/apiextensions/v1';
import type { Client, ConnectionConfig, KubernetesObject, LeaderElectionOptions, Manager } from 'ots-runtime';
import type { ConvergenceOptions, TestEnvironmentOptions } from 'ots-testing';
import type { Plan } from './plan.ts';

/** Whether an operator has the bug that it is about. */
export type Variant = 'buggy' | 'fixed';

/**
 * What it takes to see a bug:
 *
 * - `crash`: the operator ends between two writes
 * - `stale`: it reads a cache that is behind
 * - `unobserved`: it never sees a state that has passed
 * - `indirect`: nothing disturbs it; what it does is wrong, and its end state may still be right
 * - `rollback`: a user reverts a change that did not work
 * - `state`: a user changes a field, and the objects do not follow
 * - `operator-crash`: a user leaves out a field, and the operator throws
 * - `differential`: a changed object ends in another state than a new one with the same content
 */
type Pattern =
  | 'crash'
  | 'stale'
  | 'unobserved'
  | 'indirect'
  | 'rollback'
  | 'state'
  | 'operator-crash'
  | 'differential';

/** What a demonstration looks at when it is over. */
export interface Outcome {
  /** Of the administrator. */
  readonly client: Client;
  /** What all lives of the operator wrote and the server accepted, such as `patch statefulsets.apps default/db`. */
  readonly writes: readonly string[];
}

/** When a bug does harm, and how to tell. */
interface Demonstration {
  readonly plan: Plan;
  /** Whether the end state differs from that of the twin, or only what was written on the way. */
  readonly seenIn: 'state' | 'writes';
  /** Whether the consequence of the bug is there, two minutes after the plan. */
  isHarmed(outcome: Outcome): Promise<boolean> | boolean;
}

/** A small operator that had a published bug, and its twin without it. */
export interface Subject<T extends KubernetesObject = KubernetesObject> {
  /** What the operator does, in a few words. */
  readonly title: string;
  /** Projects and numbers of their issues, such as `rabbitmq/cluster-operator 782`. */
  readonly bugs: readonly string[];
  readonly pattern: Pattern;
  /** What the bug does to users, in one sentence. */
  readonly consequence: string;
  readonly definition: CustomResourceDefinition;
  /** What a user creates. */
  readonly object: T;
  /** What users then do, in this order. */
  readonly changes: NonNullable<ConvergenceOptions['changes']>;
  /** Whether pods run, and what in them. Default: none. */
  readonly workloads?: TestEnvironmentOptions['workloads'];
  /**
   * Creates a manager with the controllers of the operator, and does not start it.
   *
   * @param leaderElection of an operator with a standby
   */
  start(
    connection: ConnectionConfig,
    variant: Variant,
    leaderElection?: LeaderElectionOptions,
  ): Promise<Manager>;
  readonly demonstration: Demonstration;
  /** A plan that does harm in the published form, and not with ots-runtime, and what prevents it. */
  readonly prevented?: { readonly plan: Plan; readonly by: string };
}

/** Checks a subject against the type of its object. */
export function defineSubject<T extends KubernetesObject>(subject: Subject<T>): Subject {
  return subject;
}
