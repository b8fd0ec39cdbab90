import type { Reference } from '../reference/reference.ts';
import type { Step } from '../run/scenario.ts';
import type { Plan, RefusedWith, WorkloadFailure, WritePoint } from './plan.ts';
import type { Mutation } from './spec-mutations.ts';

const refusedAs: Readonly<Record<RefusedWith, string>> = {
  Conflict: 'a conflict (409)',
  TooManyRequests: 'too many requests (429)',
  InternalError: 'an internal error (500)',
  Timeout: 'a timeout (504)',
};

const failing: Readonly<Record<WorkloadFailure, string>> = {
  'image pull': 'No image can be pulled',
  crash: 'Containers crash',
  'slow start': 'Applications do not become ready',
  'node loss': 'The nodes are lost',
  provisioning: 'Volumes cannot be created',
};

/** Says where in a scenario something happens. */
interface Words {
  /** Such as `the object is scaled`. */
  readonly event: (step: number) => string;
  /** Such as `write 2 (create services default/db) when the object is created`. */
  readonly write: (point: WritePoint) => string;
}

type Of<P extends Plan['phase']> = Extract<Plan, { phase: P }>;

const descriptions: { readonly [P in Plan['phase']]: (plan: Of<P>, words: Words) => string } = {
  undisturbed: () => 'Nothing disturbs the operator',
  crash: (plan, { write }) =>
    `The operator ends after ${write(plan)}, before it knows the response, and starts again`,
  'crash-before': (plan, { write }) => `The operator ends before ${write(plan)}, and starts again`,
  restart: ({ step }, { event }) => `The operator ends and starts again before ${event(step)}`,
  'lost-response': (plan, { write }) => `The response to ${write(plan)} is lost`,
  refusal: (plan, { write }) => `The server refuses ${write(plan)} with ${refusedAs[plan.answer]}`,
  stale: (plan, words) => `The operator sees nothing new of ${plan.resource} for 20 s ${since(plan, words)}`,
  takeover: (plan, words) =>
    `A second replica sees nothing new of ${plan.resource} ${since(plan, words)}, and takes over after ${words.event(plan.takesOver)}`,
  missed: ({ resource, step, until }, { event }) =>
    until === step
      ? `The operator does not see how ${resource} change when ${event(step)}, and then only the last state`
      : `The operator does not see how ${resource} change when ${event(step)}, until ${event(until)}`,
  interruption: (plan, { write }) => `The next change comes after ${write(plan)}`,
  recreation: (plan, { write }) =>
    `The object is deleted after ${write(plan)}, and made again under its name`,
  fresh: ({ step }, { event }) => `The object is created as it is after ${event(step)}`,
  spec: (mutation) => `A user ${changing(mutation)}, and takes that back`,
  'spec-pair': ({ changes }) => `A user ${changes.map(changing).join(' and ')}, and takes that back`,
  deletion: ({ step, policy }, { event }) =>
    `The object is deleted with the propagation policy ${policy} before ${event(step)}`,
  workload: ({ failure, step }, { event }) =>
    `${failing[failure]} for some minutes from the moment when ${event(step)}`,
  rollback: ({ step }, { event }) =>
    `The images that are new when ${event(step)} cannot be pulled, and the user takes that back`,
  edit: ({ child, patch }) =>
    `A user edits ${child.kind} ${child.name} by hand: ${patch.map(({ path }) => path).join(', ')}`,
  'child-deletion': ({ child }) => `A user deletes ${child.kind} ${child.name} by hand`,
  order: () => 'Requests, responses and events arrive in another order',
  duplicates: () => 'Every event arrives twice',
};

/** Such as `sets spec.size to 2`. */
function changing({ path, value }: Mutation): string {
  const field = path.join('.');
  return value === null ? `removes ${field}` : `sets ${field} to ${JSON.stringify(value)}`;
}

function since({ step, write: number }: WritePoint, { event, write }: Words): string {
  return number === 1 ? `from the moment when ${event(step)}` : `after ${write({ step, write: number - 1 })}`;
}

/** What a plan does, such as `The response to write 2 (create services default/db) when the object is created is lost`. */
export function describePlan(
  plan: Plan,
  steps: readonly Step[],
  { stages }: Pick<Reference, 'stages'>,
): string {
  const event = (step: number): string => `the object ${steps[step]!.title}`;
  const write = ({ step, write: number }: WritePoint): string => {
    const found = stages[step]!.writes.find((each) => each.write === number);
    return `write ${number}${found ? ` (${found.text})` : ''} when ${event(step)}`;
  };
  const describe = descriptions[plan.phase] as (plan: Plan, words: Words) => string;
  return describe(plan, { event, write });
}
