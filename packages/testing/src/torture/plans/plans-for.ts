import type { Reference } from '../reference/reference.ts';
import type { Stage } from '../reference/stage.ts';
import type { TortureSetup } from '../torture-options.ts';
import type { DeletionPolicy, Plan, RefusedWith, WorkloadFailure } from './plan.ts';
import { mutationsOf } from './spec-mutations.ts';

const refusals: readonly RefusedWith[] = ['Conflict', 'TooManyRequests', 'InternalError', 'Timeout'];

/** How many other orders are tried. */
const orders = 3;

/** The plans for an operator. */
export interface Plans {
  readonly all: readonly Plan[];
  /** How many there would be besides that cannot differ from another one. */
  readonly skipped: number;
}

/**
 * All plans for an operator, the most promising first. Only writes that change something count: a crash after any other leaves the same
 * cluster as one before it. A view that is held between two writes is the same as one that is held before the first of them if nothing
 * arrives in between.
 */
export function plansFor(
  { stages, watched, schema }: Reference,
  { leaderElection, environment }: TortureSetup,
): Plans {
  const last = stages.length - 1;
  const inSteps = <P extends Plan>(plansOf: (stage: Stage, step: number) => P[]): P[] =>
    stages.flatMap(plansOf);
  const views = inSteps((stage, step) =>
    watched.flatMap((resource) =>
      pointsOf(stage, resource).map((write) => ({ phase: 'stale', resource, step, write }) as const),
    ),
  );
  // The harm may be done to what a later step makes.
  const takeovers = views.flatMap((view): Plan[] =>
    [view.step, view.step + 1]
      .filter((step) => step <= last)
      .map((takesOver) => ({ ...view, phase: 'takeover', takesOver })),
  );
  const all: Plan[] = [
    { phase: 'undisturbed' },
    ...inSteps((stage, step) =>
      step > 0 && isMadeByObject(stages, step) && stage.parent ? [{ phase: 'fresh', step }] : [],
    ),
    ...inSteps(({ effective }, step) => effective.map(({ write }) => ({ phase: 'crash', step, write }))),
    ...inSteps(({ effective }, step) =>
      effective.map(({ write }) => ({ phase: 'lost-response', step, write })),
    ),
    ...inSteps(({ events }, step) =>
      step === last
        ? []
        : watched
            .filter((resource) => events.some((event) => event.resource === resource))
            .flatMap((resource) =>
              // What is being deleted need not make up for anything.
              (stages[step + 1]!.parent ? [step, step + 1] : [step]).map(
                (until) => ({ phase: 'missed', resource, step, until }) as const,
              ),
            ),
    ),
    ...(schema ? mutationsOf(schema, valueOf(stages[0]!)) : []).map((mutation): Plan => ({
      phase: 'spec',
      ...mutation,
    })),
    ...views,
    // What a deletion interrupts may stay as it is.
    ...inSteps(({ effective }, step) =>
      step < last - 1 ? effective.map(({ write }) => ({ phase: 'interruption', step, write })) : [],
    ),
    ...inSteps(({ effective }, step) =>
      step < last && isMadeByObject(stages, step)
        ? effective.map(({ write }) => ({ phase: 'recreation', step, write }))
        : [],
    ),
    ...(leaderElection ? takeovers : []),
    ...inSteps(({ effective }, step) =>
      effective
        .filter(({ observed }) => observed.verb !== 'create')
        .flatMap(({ write }) => refusals.map((answer): Plan => ({ phase: 'refusal', answer, step, write }))),
    ),
    ...(environment?.workloads ? inSteps((_, step) => (step < last ? failuresOf(step) : [])) : []),
    ...inSteps((_, step) => (stages[step - 1]?.parent ? deletionsBefore(step, last) : [])),
    ...(stages[last - 1]?.children ?? []).flatMap(({ child, patch }): Plan[] => [
      ...(patch.length > 0 ? [{ phase: 'edit', child, patch } as const] : []),
      { phase: 'child-deletion', child },
    ]),
    { phase: 'duplicates' },
    ...Array.from({ length: orders }, (_, index): Plan => ({ phase: 'order', seed: 101 + index })),
  ];
  return { all, skipped: skippedOf(stages, watched, leaderElection ? 2 : 1) };
}

const failures: readonly WorkloadFailure[] = [
  'image pull',
  'crash',
  'slow start',
  'node loss',
  'provisioning',
];

function failuresOf(step: number): Plan[] {
  return failures.map((failure) => ({ phase: 'workload', step, failure }));
}

/** The last step is a deletion in the background. */
function deletionsBefore(step: number, last: number): Plan[] {
  const policies: readonly DeletionPolicy[] = step === last ? ['Foreground', 'Orphan'] : ['Background'];
  return policies.map((policy) => ({ phase: 'deletion', step, policy }));
}

/** Before which writes holding a resource makes a difference: those between which something of it arrives. */
function pointsOf({ effective, events }: Stage, resource: string): number[] {
  const arrivals = events.filter((event) => event.resource === resource).map(({ write }) => write);
  const points = [1, ...effective.map(({ write }) => write + 1)];
  return points.filter((point, index) => {
    const next = points[index + 1] ?? Infinity;
    return arrivals.some((write) => write >= point && write < next);
  });
}

function skippedOf(stages: readonly Stage[], watched: readonly string[], replicas: number): number {
  const writes = stages.reduce((sum, stage) => sum + stage.writes.length, 0);
  const effective = stages.reduce((sum, stage) => sum + stage.effective.length, 0);
  const held = stages.reduce(
    (sum, stage) => sum + watched.reduce((points, resource) => points + pointsOf(stage, resource).length, 0),
    0,
  );
  const perWrite = 2 + refusals.length;
  return (writes - effective) * perWrite + replicas * ((writes + stages.length) * watched.length - held);
}

/** Whether users changed nothing but the object itself up to a step, so that all that is there follows from the object. */
function isMadeByObject(stages: readonly Stage[], step: number): boolean {
  const generations = stages
    .slice(0, step + 1)
    .map(({ parent }) => `${parent?.metadata.uid} ${parent?.metadata.generation}`);
  return new Set(generations).size === generations.length;
}

function valueOf({ parent }: Stage): unknown {
  return (parent as { spec?: unknown } | undefined)?.spec;
}
