import type { Reference } from '../reference/reference.ts';
import type { Step } from '../run/scenario.ts';
import type { Plan, WritePoint } from './plan.ts';

const refusedAs = {
  Conflict: 'a conflict (409)',
  TooManyRequests: 'too many requests (429)',
  InternalError: 'an internal error (500)',
  Timeout: 'a timeout (504)',
} as const;

const failing = {
  'image pull': 'No image can be pulled',
  crash: 'Containers crash',
  'slow start': 'Applications do not become ready',
  'node loss': 'The nodes are lost',
  provisioning: 'Volumes cannot be created',
} as const;

/** What a plan does, such as `The operator crashes after write 2 (create services default/db) when the object is created`. */
export function describePlan(
  plan: Plan,
  steps: readonly Step[],
  { stages }: Pick<Reference, 'stages'>,
): string {
  const when = (step: number): string => `when the object ${steps[step]!.title}`;
  const write = ({ step, write: number }: WritePoint): string => {
    const found = stages[step]!.writes.find((each) => each.write === number);
    return `write ${number}${found ? ` (${found.text})` : ''} ${when(step)}`;
  };
  const since = ({ step, write: number }: WritePoint): string =>
    number === 1 ? `from the moment ${when(step)}` : `after ${write({ step, write: number - 1 })}`;
  switch (plan.phase) {
    case 'undisturbed':
      return 'Nothing disturbs the operator';
    case 'crash':
      return `The operator ends after ${write(plan)}, before it knows the response, and starts again`;
    case 'restart':
      return `The operator ends and starts again before the object ${steps[plan.step]!.title}`;
    case 'lost-response':
      return `The response to ${write(plan)} is lost`;
    case 'refusal':
      return `The server refuses ${write(plan)} with ${refusedAs[plan.answer]}`;
    case 'stale':
      return `The operator sees nothing new of ${plan.resource} for 20 s ${since(plan)}`;
    case 'takeover':
      return `A second replica sees nothing new of ${plan.resource} ${since(plan)}, and takes over after the object ${steps[plan.takesOver]!.title}`;
    case 'missed':
      return plan.until === plan.step
        ? `The operator does not see how ${plan.resource} change ${when(plan.step)}, and then only the last state`
        : `The operator does not see how ${plan.resource} change ${when(plan.step)}, until the object ${steps[plan.until]!.title}`;
    case 'interruption':
      return `The next change comes after ${write(plan)}`;
    case 'recreation':
      return `The object is deleted after ${write(plan)}, and made again under its name`;
    case 'fresh':
      return `The object is created as it is after it ${steps[plan.step]!.title}`;
    case 'spec':
      return plan.value === null
        ? `A user removes ${plan.path.join('.')}, and takes that back`
        : `A user sets ${plan.path.join('.')} to ${JSON.stringify(plan.value)}, and takes that back`;
    case 'deletion':
      return `The object is deleted with the propagation policy ${plan.policy} before it ${steps[plan.step]!.title}`;
    case 'workload':
      return `${failing[plan.failure]} for some minutes from the moment ${when(plan.step)}`;
    case 'edit':
      return `Somebody edits ${plan.child.kind} ${plan.child.name} by hand: ${plan.patch.map(({ path }) => path).join(', ')}`;
    case 'child-deletion':
      return `Somebody deletes ${plan.child.kind} ${plan.child.name} by hand`;
    case 'order':
      return 'Requests, responses and events arrive in another order';
    case 'duplicates':
      return 'Every event arrives twice';
  }
}
