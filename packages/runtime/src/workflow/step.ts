import type { Duration, KubernetesObject } from 'ots-kubernetes';
import type { ReconcileContext } from '../controller/reconciler.ts';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** The result of a step that is not done yet and must be called again. */
export interface StepProgress {
  /** The delay; undefined or 0 waits for a change of an object that the controller watches. */
  readonly requeueAfter: Duration | number | undefined;
}

/** One step of a plan. */
export interface PlanStep<P extends KubernetesObject> {
  /** A name that is unique in its phase. The status contains it, too. */
  readonly name: string;
  /**
   * Performs the step, or checks its progress. It must accept that its work is done or half done: it runs again after a
   * failure, and after a crash before the result was saved.
   * @returns nothing when it is done; a `StepProgress` when it is not done yet.
   */
  run(object: DeepReadonly<P>, context: ReconcileContext): Promise<StepProgress | void> | StepProgress | void;
}

/** Steps, one after another or at the same time, to any depth. */
export type PlanStage<P extends KubernetesObject> =
  | PlanStep<P>
  | { readonly phase: string; readonly stage: PlanStage<P> }
  | { readonly serial: readonly PlanStage<P>[] }
  | { readonly parallel: readonly PlanStage<P>[] };

/** Creates a step of a plan. */
export function step<P extends KubernetesObject>(name: string, run: PlanStep<P>['run']): PlanStep<P> {
  return { name, run };
}

/** Runs the stages one after another. */
export function serial<P extends KubernetesObject>(...stages: readonly PlanStage<P>[]): PlanStage<P> {
  return { serial: stages };
}

/** Runs all stages at the same time. */
export function parallel<P extends KubernetesObject>(...stages: readonly PlanStage<P>[]): PlanStage<P> {
  return { parallel: stages };
}

/**
 * Names the stages, which run one after another: in the status, the step `dump` of the phase `data` is `data/dump`.
 */
export function phase<P extends KubernetesObject>(
  name: string,
  ...stages: readonly PlanStage<P>[]
): PlanStage<P> {
  return { phase: name, stage: serial(...stages) };
}
