import type { Kind, KubernetesObject } from 'ots-kubernetes';
import type { ApplyConfiguration } from '../client/content.ts';
import type { UpdateStrategy } from '../composite/composite-options.ts';
import type { ObservedChildren } from '../composite/observed-children.ts';
import type { ReconcileContext } from '../controller/reconciler.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** One object, several or none, as they shall be. */
export type DesiredObjects<T extends KubernetesObject> =
  | ApplyConfiguration<T>
  | readonly ApplyConfiguration<T>[]
  | undefined;

/** Objects of one kind that a workflow keeps for a primary object. */
export interface Dependent<
  P extends KubernetesObject,
  T extends KubernetesObject,
  Name extends string = string,
> {
  /** Of the objects. */
  readonly kind: Kind<T>;
  /** Those that must be ready before this one is made; none by default. They are also deleted after it. */
  readonly dependsOn?: readonly Name[] | undefined;
  /**
   * The server may not have the kind, as when its CRD is not installed: then there are none, as if `when` said so, and
   * the manager is ready without it. When the kind comes or goes, a controller that owns it (`builder.owns`) runs for
   * every primary; that it came is noticed within ten seconds. False by default.
   */
  readonly optional?: boolean | undefined;
  /** `'InPlace'` by default. */
  readonly updateStrategy?: UpdateStrategy | undefined;
  /**
   * The object as it shall be, or several, or none. Objects that are not returned any more are deleted. `observed`
   * holds what the workflow has made so far, also in this run.
   */
  desired(
    primary: DeepReadonly<P>,
    observed: ObservedChildren,
    context: ReconcileContext,
  ): DesiredObjects<T> | Promise<DesiredObjects<T>>;
  /** Whether there shall be any; always by default. When it is false they, and all that depends on them, are deleted. */
  when?(
    primary: DeepReadonly<P>,
    observed: ObservedChildren,
    context: ReconcileContext,
  ): boolean | Promise<boolean>;
  /** Whether an object is ready for those that depend on it: when it is applied by default. See `conditionTrue`. */
  readyWhen?(object: DeepReadonly<T>, primary: DeepReadonly<P>): boolean | Promise<boolean>;
  /**
   * Whether what the objects leave behind is gone, after they are: by default nothing is left. Those that it depends
   * on are deleted only then.
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
