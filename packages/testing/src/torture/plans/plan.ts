import type { JsonPatchOperation } from 'ots-runtime';
import type { Mutation } from './spec-mutations.ts';

/** Where in a scenario something happens: at a write of the operator. */
export interface WritePoint {
  /** The index of the step. */
  readonly step: number;
  /** The number of the write in its step, from 1. */
  readonly write: number;
}

/** The refusals that a server under load gives. */
export type RefusedWith = 'Conflict' | 'TooManyRequests' | 'InternalError' | 'Timeout';

/** What becomes of the objects that belong to a deleted one. */
export type DeletionPolicy = 'Background' | 'Foreground' | 'Orphan';

/** What pods, nodes and volumes do. */
export type WorkloadFailure = 'image pull' | 'crash' | 'slow start' | 'node loss' | 'provisioning';

/** An object that an operator has created. */
export interface Child {
  readonly apiVersion: string;
  readonly kind: string;
  /** Absent for what has none. */
  readonly namespace?: string;
  readonly name: string;
}

/**
 * What happens to an operator while it goes through a scenario. Plans are data: a report prints them, and a later run replays them.
 */
export type Plan =
  /** Nothing. */
  | { readonly phase: 'undisturbed' }
  /** The process ends when the server has stored the write, and before it knows. A new one goes on. */
  | ({ readonly phase: 'crash' } & WritePoint)
  /** The process ends when it is about to send the write, and the server does not receive it. A new one goes on. */
  | ({ readonly phase: 'crash-before' } & WritePoint)
  /** The process ends between two steps. A new one begins with this step. */
  | { readonly phase: 'restart'; readonly step: number }
  /** The server stores the write, and the response is lost. */
  | ({ readonly phase: 'lost-response' } & WritePoint)
  | ({ readonly phase: 'refusal'; readonly answer: RefusedWith } & WritePoint)
  /** From the write before, the operator sees nothing new of a resource for a while. Write 1: from the beginning of the step. */
  | ({ readonly phase: 'stale'; readonly resource: string } & WritePoint)
  /** The same for a second replica, which takes over at the end of that step or of a later one. */
  | ({ readonly phase: 'takeover'; readonly resource: string; readonly takesOver: number } & WritePoint)
  /**
   * The operator sees nothing of a resource from the beginning of a step to its end, or to the beginning of the next one, and then only the
   * last state.
   */
  | { readonly phase: 'missed'; readonly resource: string; readonly step: number; readonly until: number }
  /** The next step begins when the operator has made the write. */
  | ({ readonly phase: 'interruption' } & WritePoint)
  /** The object is deleted after the write, and made again under its name as soon as it is gone. */
  | ({ readonly phase: 'recreation' } & WritePoint)
  /** The object is created as it is after the step, without what came before. */
  | { readonly phase: 'fresh'; readonly step: number }
  /** A user gives a field another value after the creation, and takes that back. */
  | ({ readonly phase: 'spec' } & Mutation)
  /** The same with two fields at once. */
  | { readonly phase: 'spec-pair'; readonly changes: readonly [Mutation, Mutation] }
  /** The object is deleted before a step, and not only at the end. */
  | { readonly phase: 'deletion'; readonly step: number; readonly policy: DeletionPolicy }
  /** Workloads fail from the beginning of a step for some minutes. */
  | { readonly phase: 'workload'; readonly step: number; readonly failure: WorkloadFailure }
  /** The images that pods use first in a step cannot be pulled, and a user takes the step back. */
  | { readonly phase: 'rollback'; readonly step: number }
  /** A user edits an object that the operator has created. */
  | { readonly phase: 'edit'; readonly child: Child; readonly patch: readonly JsonPatchOperation[] }
  /** A user deletes an object that the operator has created. */
  | { readonly phase: 'child-deletion'; readonly child: Child }
  /** Everything arrives in another order. */
  | { readonly phase: 'order'; readonly seed: number }
  /** Every event arrives twice. */
  | { readonly phase: 'duplicates' };
