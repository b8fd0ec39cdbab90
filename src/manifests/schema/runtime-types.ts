import type { Schema } from './schema.ts';

const stepStatus: Schema = {
  type: 'object',
  description: 'The progress of one step of a plan.',
  required: ['name', 'state'],
  properties: new Map<string, Schema>([
    [
      'name',
      { type: 'string', description: 'The name of the step, after those of its phases: `data/dump`.' },
    ],
    [
      'state',
      {
        type: 'string',
        description: '`Running`: the step has started and will be called again.',
        enum: ['Pending', 'Running', 'Failed', 'Complete'],
      },
    ],
    ['message', { type: 'string', description: 'The error of a failed step.' }],
  ]),
};

const planStatus: Schema = {
  type: 'object',
  description: 'The progress of a plan: a part of the status of an object, from which the plan resumes.',
  required: ['phase', 'revision', 'steps'],
  properties: new Map<string, Schema>([
    [
      'revision',
      {
        type: 'string',
        description: 'The revision that the plan ran for. The plan starts over for another revision.',
      },
    ],
    [
      'phase',
      {
        type: 'string',
        description: 'The phase of the whole plan. `Failed`: a step failed and will be retried.',
        enum: ['Running', 'Failed', 'Complete'],
      },
    ],
    ['steps', { type: 'array', description: 'In the order of the plan.', items: stepStatus }],
  ]),
};

/** The types that ots-runtime defines for the status of an object. */
export const runtimeTypes: ReadonlyMap<string, Schema> = new Map([
  ['PlanStatus', planStatus],
  ['StepStatus', stepStatus],
]);
