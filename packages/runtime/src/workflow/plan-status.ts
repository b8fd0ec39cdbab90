/** The progress of a plan: a part of the status of an object, from which the plan resumes. */
export interface PlanStatus {
  /** The revision that the plan was run for. For another revision it starts over. */
  readonly revision: string;
  /** Of the plan as a whole. `Failed`: a step failed, and is tried again. */
  readonly phase: 'Running' | 'Failed' | 'Complete';
  /** In the order of the plan. */
  readonly steps: readonly StepStatus[];
}

/** How far a step of a plan is. */
export interface StepStatus {
  /** Of the step. */
  readonly name: string;
  /** `Running`: it has begun and is asked again. */
  readonly state: 'Pending' | 'Running' | 'Failed' | 'Complete';
  /** The error of a failed step. */
  readonly message?: string | undefined;
}

/** The steps as a plan status. */
export function planStatus(revision: string, steps: readonly StepStatus[]): PlanStatus {
  const has = (state: StepStatus['state']): boolean => steps.some((each) => each.state === state);
  const isComplete = steps.every(({ state }) => state === 'Complete');
  return { revision, phase: isComplete ? 'Complete' : has('Failed') ? 'Failed' : 'Running', steps };
}
