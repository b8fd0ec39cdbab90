import type { Duration, KubernetesObject } from 'ots-kubernetes';
import type { ReconcileContext } from '../controller/reconciler.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** A step is not done yet: ask it again. */
export interface StepProgress {
  /** After this time; undefined or 0 to wait for a change of an object that the controller watches. */
  readonly requeueAfter: Duration | number | undefined;
}

/** One thing to do of a plan. */
export interface PlanStep<P extends KubernetesObject> {
  /** Tells it from the other steps, in the status too. */
  readonly name: string;
  /**
   * Does it, or looks how far it is. Must be content with finding its work done or half done: it runs again after a
   * failure, and after a crash before its end was saved.
   * @returns nothing when it is done; a `StepProgress` when it is not done yet.
   */
  run(object: DeepReadonly<P>, context: ReconcileContext): Promise<StepProgress | void> | StepProgress | void;
}

/** Steps, one after another or at the same time, to any depth. */
export type PlanStage<P extends KubernetesObject> =
  | PlanStep<P>
  | { readonly serial: readonly PlanStage<P>[] }
  | { readonly parallel: readonly PlanStage<P>[] };

/** A step of a plan. */
export function step<P extends KubernetesObject>(name: string, run: PlanStep<P>['run']): PlanStep<P> {
  return { name, run };
}

/** Each stage after the one before it is done. */
export function serial<P extends KubernetesObject>(...stages: readonly PlanStage<P>[]): PlanStage<P> {
  return { serial: stages };
}

/** All stages at the same time. */
export function parallel<P extends KubernetesObject>(...stages: readonly PlanStage<P>[]): PlanStage<P> {
  return { parallel: stages };
}
