import type { Duration, Kind, KubernetesObject } from 'ots-kubernetes';
import type { ApplyConfiguration } from '../client/content.ts';
import type { ControllerOptions } from '../controller/controller-options.ts';
import type { PauseOptions } from '../controller/pause.ts';
import type { ReconcileContext } from '../controller/reconciler.ts';
import type { ReferenceFunction } from '../controller/references.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';
import type { DesiredChild } from './desired-child.ts';
import type { ObservedChildren } from './observed-children.ts';

/**
 * What to do with a child that differs from the desired state:
 * - `InPlace` changes it, by server-side apply;
 * - `Recreate` deletes it and creates it again when it is gone: for kinds with immutable specs, such as Jobs;
 * - `OnDelete` leaves it until it is deleted by other means.
 */
export type UpdateStrategy = 'InPlace' | 'Recreate' | 'OnDelete';

/**
 * What to do when the server refuses to change an immutable field of a child, such as the template of a Job or the
 * `serviceName` of a StatefulSet:
 * - `Fail` leaves the child as it is, and the reconcile fails;
 * - `Recreate` deletes the child, and creates it again when everything that it owns is gone, too: two generations of pods
 *   never run at the same time;
 * - `Orphan` deletes the child alone and creates it again. Its pods keep running, and the new object adopts those that
 *   its selector matches.
 */
export type ImmutablePolicy = 'Fail' | 'Recreate' | 'Orphan';

/** A kind of children, and how to change them. */
export interface ChildRule<T extends KubernetesObject = KubernetesObject> {
  /** The kind of the children. */
  readonly kind: Kind<T>;
  /** `'InPlace'` by default. */
  readonly updateStrategy?: UpdateStrategy | undefined;
  /**
   * For children that are changed in place; `'Fail'` by default. Nothing is deleted unless the server would accept a new
   * object with the desired state: it is asked with a dry run. The owner receives an event. Needs the right to `delete`.
   */
  readonly onImmutable?: ImmutablePolicy | undefined;
}

/** The type of `status` of a kind, with all fields optional. */
export type StatusOf<P extends KubernetesObject> =
  ApplyConfiguration<P> extends { readonly status?: infer Status } ? Status : never;

/** The desired state for one parent. */
export interface SyncResult<P extends KubernetesObject, C extends KubernetesObject> {
  /** All children. Those that are no longer in the list are deleted. */
  readonly children: readonly DesiredChild<C>[];
  /**
   * The complete status that this controller reports; `observedGeneration` is added when absent. If undefined, the
   * status does not change.
   */
  readonly status?: StatusOf<P> | undefined;
  /** Run again after this time even if nothing changes, as `requeueAfter` of a `Result`; not by default. */
  readonly requeueAfter?: Duration | number | undefined;
}

/** The desired state while a parent is being deleted. */
export interface FinalizeResult<P extends KubernetesObject, C extends KubernetesObject> extends SyncResult<
  P,
  C
> {
  /** True when the parent may be deleted, together with the remaining children. */
  readonly finalized: boolean;
}

/** A kind that parents refer to, such as Secret: see `ControllerBuilder.references`. */
export interface CompositeReference<P extends KubernetesObject> {
  /** The kind of the objects that a parent names. Read them with `manager.client`. */
  readonly kind: Kind;
  /** Returns what a parent refers to: names in its own namespace, keys, or nothing. */
  readonly names: ReferenceFunction<P>;
}

/** An annotation that pauses parents: see `ControllerBuilder.pausedBy`. */
export interface CompositePause extends PauseOptions {
  /** Such as `example.com/paused`. */
  readonly annotation: string;
}

/** A composite controller: the desired state as a function of the observed state. */
export interface CompositeOptions<P extends KubernetesObject, Children extends readonly KubernetesObject[]> {
  /** The name in logs, metrics, labels and managed fields; the kind of the parent in lower case by default. */
  readonly name?: string | undefined;
  /** Its status must declare `observedGeneration` if `sync` returns a status. */
  readonly parent: Kind<P>;
  /** The kinds of children: all that `sync` may return. */
  readonly children: {
    readonly [Index in keyof Children]: Kind<Children[Index]> | ChildRule<Children[Index]>;
  };
  /** The kinds that parents refer to: `sync` also runs when an object that the parent names changes. None by default. */
  readonly references?: readonly CompositeReference<P>[] | undefined;
  /** The annotation that pauses a parent, and what it does to deletions; without it, no annotation does. */
  readonly pausedBy?: string | CompositePause | undefined;
  /** The options of `ControllerBuilder.withOptions`, with the same defaults. */
  readonly settings?: ControllerOptions | undefined;
  /**
   * Returns the desired children and status of a parent. Called whenever the parent, one of its children or an object of
   * `references` changes. It should depend on nothing else, and change nothing.
   */
  sync(
    parent: DeepReadonly<P>,
    observed: ObservedChildren,
    context: ReconcileContext,
  ): SyncResult<P, Children[number]> | Promise<SyncResult<P, Children[number]>>;
  /**
   * Called instead of `sync` for a parent that is being deleted. A finalizer keeps the parent until the result says
   * `finalized`. Without this function the parent is deleted at once, and the garbage collector deletes the children.
   */
  finalize?(
    parent: DeepReadonly<P>,
    observed: ObservedChildren,
    context: ReconcileContext,
  ): FinalizeResult<P, Children[number]> | Promise<FinalizeResult<P, Children[number]>>;
}
