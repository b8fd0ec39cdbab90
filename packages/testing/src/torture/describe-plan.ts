import type { Plan, WritePoint } from './plan.ts';
import type { Reference } from './reference.ts';
import type { Step } from './scenario.ts';

const refusedAs = {
  Conflict: 'a conflict (409)',
  TooManyRequests: 'too many requests (429)',
  InternalError: 'an internal error (500)',
  Timeout: 'a timeout (504)',
} as const;

/** What a plan does, such as `The operator crashes after write 2 (create services default/db) when the object is created`. */
export function describePlan(
  plan: Plan,
  steps: readonly Step[],
  { writes }: Pick<Reference, 'writes'>,
): string {
  const when = (step: number): string => `when the object ${steps[step]!.title}`;
  const write = (point: WritePoint): string => {
    const found = writes.find(({ step, write: number }) => step === point.step && number === point.write);
    return `write ${point.write}${found ? ` (${found.text})` : ''} ${when(point.step)}`;
  };
  switch (plan.phase) {
    case 'crash':
      return `The operator crashes after ${write(plan)}`;
    case 'lost-response':
      return `The response to ${write(plan)} is lost`;
    case 'refusal':
      return `The server refuses ${write(plan)} with ${refusedAs[plan.answer]}`;
    case 'stale':
      return `The operator sees nothing new of ${plan.resource} for 20 s before ${write(plan)}`;
    case 'missed':
      return `The operator sees nothing of ${plan.resource} from ${when(plan.step).slice('when '.length)} until the next change`;
    case 'interruption':
      return `The next change comes after ${write(plan)}`;
    case 'recreation':
      return `The object is deleted after ${write(plan)}, and made again`;
    case 'fresh':
      return `The object is created as it is after it ${steps[plan.step]!.title}`;
    case 'spec':
      return `A user sets ${plan.path.join('.')} to ${JSON.stringify(plan.value)}, and takes that back`;
    case 'order':
      return `Everything arrives in another order (seed ${plan.seed})`;
  }
}
