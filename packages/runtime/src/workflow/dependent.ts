import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { ApplyConfiguration } from '../client/content.ts';
import type { ImmutablePolicy, UpdateStrategy } from '../composite/composite-options.ts';
import type { ObservedChildren } from '../composite/observed-children.ts';
import type { ReconcileContext } from '../controller/reconciler.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** The desired state: one object, several or none. */
export type DesiredObjects<T extends KubernetesObject> =
  | ApplyConfiguration<T>
  | readonly ApplyConfiguration<T>[]
  | undefined;

/** Objects of one kind that a workflow manages for a primary object. */
export interface Dependent<
  P extends KubernetesObject,
  T extends KubernetesObject,
  Name extends string = string,
> {
  /** The kind of the objects. */
  readonly kind: Kind<T>;
  /** The dependents that must be ready before this one is created; none by default. They are deleted after it. */
  readonly dependsOn?: readonly Name[] | undefined;
  /**
   * The server may not have the kind, for example because its CRD is not installed: then no objects exist, as if `when`
   * returned false, and the manager is ready without it. When the kind appears or disappears, a controller that owns it
   * (`builder.owns`) reconciles every primary; a new kind is detected within ten seconds. False by default.
   */
  readonly optional?: boolean | undefined;
  /** `'InPlace'` by default. */
  readonly updateStrategy?: UpdateStrategy | undefined;
  /** As in a `ChildRule`; `'Fail'` by default. */
  readonly onImmutable?: ImmutablePolicy | undefined;
  /**
   * Returns the desired object, several or none. Objects that it no longer returns are deleted. `observed` contains
   * what the workflow has created so far, including in this reconcile.
   */
  desired(
    primary: DeepReadonly<P>,
    observed: ObservedChildren,
    context: ReconcileContext,
  ): DesiredObjects<T> | Promise<DesiredObjects<T>>;
  /**
   * Whether the objects should exist; true by default. If it returns false, they and everything that depends on them
   * are deleted.
   */
  when?(
    primary: DeepReadonly<P>,
    observed: ObservedChildren,
    context: ReconcileContext,
  ): boolean | Promise<boolean>;
  /** Whether an object is ready for its dependents; by default as soon as it is applied. See `conditionTrue`. */
  readyWhen?(object: DeepReadonly<T>, primary: DeepReadonly<P>): boolean | Promise<boolean>;
  /**
   * Whether everything that the deleted objects left behind is gone; true by default. Only then the objects that they
   * depend on are deleted.
   */
  deletedWhen?(
    primary: DeepReadonly<P>,
    observed: ObservedChildren,
    context: ReconcileContext,
  ): boolean | Promise<boolean>;
}

/** Dependents by their names, each typed by its kind. */
export type Dependents<P extends KubernetesObject, Kinds extends Record<string, KubernetesObject>> = {
  readonly [Name in keyof Kinds]: Dependent<P, Kinds[Name], NoInfer<Extract<keyof Kinds, string>>>;
};
