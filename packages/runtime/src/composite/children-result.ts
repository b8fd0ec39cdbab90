import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import { keyOf } from '../objects/object-key.ts';
import type { ChildOutcome, RuledChild } from './apply-children.ts';
import { notReadyReason } from './not-ready-reason.ts';
import type { ObservedChildren } from './observed-children.ts';
import type { KindedChild } from './surplus-children.ts';

/**
 * The state of a child:
 * - `Ready`: applied, and ready;
 * - `NotReady`: applied, but not ready yet, or an old object with its name is being deleted; see `reason`;
 * - `Failed`: see `error`;
 * - `Deleting`: no longer desired, but not gone yet.
 */
export type ChildState = 'Ready' | 'NotReady' | 'Failed' | 'Deleting';

/** The result of one child. */
export interface ChildResult {
  /** Of the child. */
  readonly kind: Kind;
  /** Of the child. */
  readonly name: string;
  /** Absent for cluster-scoped kinds. */
  readonly namespace?: string | undefined;
  /** See `ChildState`. */
  readonly state: ChildState;
  /** What the child lacks, such as `1 of 3 pods are available`; absent unless `NotReady`. */
  readonly reason?: string | undefined;
  /** Absent unless `Failed`. */
  readonly error?: unknown;
}

/** The result of applying the children of an owner. */
export interface ChildrenResult {
  /** The desired children in their order, then those that are deleted. */
  readonly children: readonly ChildResult[];
  /** True when every child is `Ready`. */
  readonly isReady: boolean;
  /** The current children. */
  readonly observed: ObservedChildren;
}

/** What a rule says about the readiness of children. */
export interface ReadyRule<T extends KubernetesObject = KubernetesObject> {
  /**
   * Whether a child is ready; by default `notReadyReason` decides.
   * @returns a text if it is not, which says what it lacks.
   */
  readyWhen?(child: DeepReadonly<T>): boolean | string;
}

type Outcome = ChildOutcome<RuledChild & { readonly rule: ReadyRule }>;

/** Summarizes the outcomes of the desired children and the children that are deleted. */
export function childrenResult(
  outcomes: readonly Outcome[],
  surplus: readonly KindedChild[],
  observed: ObservedChildren,
): ChildrenResult {
  const children = [
    ...outcomes.map(resultOf),
    ...surplus.map(({ kind, child }): ChildResult => ({ kind, ...keyOf(child), state: 'Deleting' })),
  ];
  return { children, isReady: children.every(({ state }) => state === 'Ready'), observed };
}

function resultOf(outcome: Outcome): ChildResult {
  const { rule, desired } = outcome.wanted;
  const { name, namespace } = desired.metadata;
  const child = { kind: rule.kind, name, ...(namespace !== undefined && { namespace }) };
  if ('error' in outcome) return { ...child, state: 'Failed', error: outcome.error };
  const reason = reasonOf(outcome.child, rule);
  return reason === undefined ? { ...child, state: 'Ready' } : { ...child, state: 'NotReady', reason };
}

function reasonOf(child: DeepReadonly<KubernetesObject> | undefined, rule: ReadyRule): string | undefined {
  if (!child) return 'an old object with its name is being deleted';
  if (!rule.readyWhen) return notReadyReason(child);
  const ready = rule.readyWhen(child);
  if (typeof ready === 'string') return ready;
  return ready ? undefined : 'it is not ready yet';
}
