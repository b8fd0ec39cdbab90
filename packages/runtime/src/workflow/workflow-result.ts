import type { ChildrenResult } from '../composite/children-result.ts';
import type { ConditionUpdate } from '../conditions/set-condition.ts';

/**
 * The state of a dependent:
 * - `Ready`: applied, and `readyWhen` holds;
 * - `NotReady`: applied, but `readyWhen` does not hold yet, or an old object is being deleted;
 * - `Waiting`: not applied, since a dependent that it depends on is not ready;
 * - `Failed`: see `error`;
 * - `Deleting`: not wanted, but not gone yet;
 * - `Skipped`: not wanted, and does not exist.
 */
export type DependentState = 'Ready' | 'NotReady' | 'Waiting' | 'Failed' | 'Deleting' | 'Skipped';

/** The result of one dependent. */
export interface DependentResult {
  /** See `DependentState`. */
  readonly state: DependentState;
  /** The error; absent unless `Failed`. */
  readonly error?: unknown;
}

/** The result of a workflow. */
export interface WorkflowResult<Name extends string = string> {
  /** The results by name. */
  readonly dependents: Readonly<Record<Name, DependentResult>>;
  /** True when every dependent is `Ready` or `Skipped`. */
  readonly isReady: boolean;
  /**
   * True when every dependent is `Skipped` and no objects of an earlier version's dependents exist: after a cleanup,
   * nothing is left.
   */
  readonly isGone: boolean;
}

/**
 * Summarizes the states.
 * @param hasForgotten true when objects of dependents exist that are not among them.
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
 * Returns the condition `Ready` of a workflow or a `ChildSet`, for `setCondition`. Its message lists what is not ready and its
 * state, but no contents.
 * @param observedGeneration the `metadata.generation` of the primary object that the workflow ran for.
 */
export function readyCondition(
  result: WorkflowResult | ChildrenResult,
  observedGeneration?: number,
): ConditionUpdate {
  const pending = partsOf(result).filter(({ state }) => state !== 'Ready' && state !== 'Skipped');
  const isFailed = pending.some(({ state }) => state === 'Failed');
  return {
    type: 'Ready',
    status: result.isReady ? 'True' : 'False',
    reason: result.isReady ? 'Ready' : isFailed ? 'Failed' : 'InProgress',
    message: pending
      .map(({ name, state, reason }) => `${name} is ${state}${reason === undefined ? '' : ` (${reason})`}`)
      .join(', '),
    observedGeneration,
  };
}

interface Part {
  name: string;
  state: DependentState;
  reason?: string | undefined;
}

function partsOf(result: WorkflowResult | ChildrenResult): Part[] {
  if ('dependents' in result) {
    return Object.entries(result.dependents).map(([name, { state }]) => ({ name, state }));
  }
  return result.children.map(({ kind, name, state, reason }) => ({
    name: `${kind.kind} ${name}`,
    state,
    reason,
  }));
}
