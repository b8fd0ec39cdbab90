/** The progress of a plan: a part of the status of an object, from which the plan resumes. */
export interface PlanStatus {
  /** The revision that the plan ran for. The plan starts over for another revision. */
  readonly revision: string;
  /** The phase of the whole plan. `Failed`: a step failed and will be retried. */
  readonly phase: 'Running' | 'Failed' | 'Complete';
  /** In the order of the plan. */
  readonly steps: readonly StepStatus[];
}

/** The progress of one step of a plan. */
export interface StepStatus {
  /** The name of the step, after those of its phases: `data/dump`. */
  readonly name: string;
  /** `Running`: the step has started and will be called again. */
  readonly state: 'Pending' | 'Running' | 'Failed' | 'Complete';
  /** The error of a failed step. */
  readonly message?: string | undefined;
}

/** Combines the steps into a plan status. */
export function planStatus(revision: string, steps: readonly StepStatus[]): PlanStatus {
  const has = (state: StepStatus['state']): boolean => steps.some((each) => each.state === state);
  const isComplete = steps.every(({ state }) => state === 'Complete');
  return { revision, phase: isComplete ? 'Complete' : has('Failed') ? 'Failed' : 'Running', steps };
}
