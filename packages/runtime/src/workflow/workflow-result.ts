import type { ConditionUpdate } from '../conditions/set-condition.ts';

/**
 * How a dependent is doing:
 * - `Ready`: applied, and `readyWhen` holds;
 * - `NotReady`: applied, and `readyWhen` does not hold yet, or an old object is on its way out;
 * - `Waiting`: not touched, since one that it depends on is not ready;
 * - `Failed`: see `error`;
 * - `Deleting`: not wanted, and not gone yet;
 * - `Skipped`: not wanted, and not there.
 */
export type DependentState = 'Ready' | 'NotReady' | 'Waiting' | 'Failed' | 'Deleting' | 'Skipped';

/** How one dependent is doing. */
export interface DependentResult {
  /** See `DependentState`. */
  readonly state: DependentState;
  /** What went wrong; absent unless `Failed`. */
  readonly error?: unknown;
}

/** How a workflow is doing. */
export interface WorkflowResult<Name extends string = string> {
  /** By their names. */
  readonly dependents: Readonly<Record<Name, DependentResult>>;
  /** True when every dependent is `Ready` or `Skipped`. */
  readonly isReady: boolean;
  /**
   * True when every dependent is `Skipped`, and nothing is there of those that an earlier version of the operator had:
   * after a cleanup, nothing is left.
   */
  readonly isGone: boolean;
}

/**
 * What `states` amount to.
 * @param hasForgotten true when there are objects of dependents that are not among them.
 */
export function workflowResult<Name extends string>(
  states: ReadonlyMap<Name, DependentResult>,
  hasForgotten: boolean,
): WorkflowResult<Name> {
  const all = [...states.values()];
  return {
    dependents: Object.fromEntries(states) as Record<Name, DependentResult>,
    isReady: all.every(({ state }) => state === 'Ready' || state === 'Skipped'),
    isGone: !hasForgotten && all.every(({ state }) => state === 'Skipped'),
  };
}

/**
 * The condition `Ready` of a workflow, for `setCondition`: its message names the dependents that are not ready and
 * their states, and no contents.
 * @param observedGeneration the `metadata.generation` of the primary object that the workflow ran for.
 */
export function readyCondition(result: WorkflowResult, observedGeneration?: number): ConditionUpdate {
  const pending = Object.entries(result.dependents).filter(
    ([, { state }]) => state !== 'Ready' && state !== 'Skipped',
  );
  const isFailed = pending.some(([, { state }]) => state === 'Failed');
  return {
    type: 'Ready',
    status: result.isReady ? 'True' : 'False',
    reason: result.isReady ? 'Ready' : isFailed ? 'Failed' : 'InProgress',
    message: pending.map(([name, { state }]) => `${name} is ${state}`).join(', '),
    observedGeneration,
  };
}
