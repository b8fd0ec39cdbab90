import type { Reference } from '../reference/reference.ts';
import type { Stage } from '../reference/stage.ts';
import type { TortureSetup } from '../torture-options.ts';
import { podImagesOf } from '../run/images.ts';
import { missedStates, pointsToHold, staleViews, takeovers } from './held-views.ts';
import type { DeletionPolicy, Plan, RefusedWith, WorkloadFailure, WritePoint } from './plan.ts';
import { mutationsOf } from './spec-mutations.ts';
import { pairsOf } from './spec-pairs.ts';

const refusals: readonly RefusedWith[] = ['Conflict', 'TooManyRequests', 'InternalError', 'Timeout'];
const failures: readonly WorkloadFailure[] = [
  'image pull',
  'crash',
  'slow start',
  'node loss',
  'provisioning',
];

/** How many other orders are tried. */
const orders = 3;

/** The plans for an operator. */
export interface Plans {
  readonly all: readonly Plan[];
  /** How many there would be besides that cannot differ from another one. */
  readonly skipped: number;
}

/**
 * All plans for an operator, some of each sort first: a short search then has tried all sorts. Only writes that change something count: a
 * crash after any other leaves the same cluster as one before it.
 */
export function plansFor(reference: Reference, { leaderElection, environment }: TortureSetup): Plans {
  const { stages, watched } = reference;
  const last = stages.length - 1;
  const sorts: Plan[][] = [
    [{ phase: 'undisturbed' }],
    [...atWrites(stages, (point) => ({ phase: 'crash', ...point }) as const), ...crashesBefore(stages)],
    missedStates(stages, watched),
    specs(reference),
    staleViews(stages, watched),
    leaderElection ? takeovers(stages, watched) : [],
    // What a deletion interrupts may stay as it is.
    atWrites(stages.slice(0, last - 1), (point) => ({ phase: 'interruption', ...point })),
    atWrites(stages, (point) => ({ phase: 'recreation', ...point })).filter(
      ({ step }) => step < last && isMadeByObject(stages, step),
    ),
    deletions(stages),
    environment?.workloads ? [...rollbacks(stages), ...workloadFailures(last)] : [],
    edits(stages[last - 1]),
    atWrites(stages, (point) => ({ phase: 'lost-response', ...point })),
    refusedWrites(stages),
    [
      { phase: 'duplicates' },
      ...Array.from({ length: orders }, (_, index): Plan => ({ phase: 'order', seed: 101 + index })),
    ],
  ];
  // Last: most of what they show, one change shows, too.
  const all = [...interleaved(sorts), ...specPairs(reference)];
  return { all, skipped: skippedOf(reference, leaderElection ? 2 : 1) };
}

/** The first of each list, then the second of each, and so on. */
function interleaved<T>(lists: readonly (readonly T[])[]): T[] {
  const length = Math.max(...lists.map((list) => list.length));
  return Array.from({ length }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}

function atWrites<P extends Plan>(stages: readonly Stage[], planAt: (point: WritePoint) => P): P[] {
  return stages.flatMap(({ effective }, step) => effective.map(({ write }) => planAt({ step, write })));
}

/** A crash before any other write leaves the cluster as one after the write before it. */
function crashesBefore(stages: readonly Stage[]): Plan[] {
  return stages.flatMap(({ awaited }, step) =>
    awaited.map(({ write }): Plan => ({ phase: 'crash-before', step, write })),
  );
}

/** Other values of fields, and objects that are created as they are after a change. */
function specs({ stages, schema }: Reference): Plan[] {
  const changed = [...stages.keys()]
    .slice(1)
    .filter((step) => isMadeByObject(stages, step) && stages[step]!.parent);
  return [
    ...changed.map((step): Plan => ({ phase: 'fresh', step })),
    ...(schema ? mutationsOf(schema, specAtFirst(stages)) : []).map((mutation): Plan => ({
      phase: 'spec',
      ...mutation,
    })),
  ];
}

function specPairs({ stages, schema }: Reference): Plan[] {
  const pairs = schema ? pairsOf(schema, specAtFirst(stages)) : [];
  return pairs.map((changes): Plan => ({ phase: 'spec-pair', changes }));
}

function specAtFirst(stages: readonly Stage[]): unknown {
  return (stages[0]!.parent as { spec?: unknown } | undefined)?.spec;
}

/** The last step is a deletion in the background. */
function deletions(stages: readonly Stage[]): Plan[] {
  const last = stages.length - 1;
  const steps = [...stages.keys()].filter((step) => stages[step - 1]?.parent);
  const policies: readonly DeletionPolicy[] = ['Background', 'Foreground', 'Orphan'];
  return policies.flatMap((policy) =>
    steps
      .filter((step) => step !== last || policy !== 'Background')
      .map((step): Plan => ({ phase: 'deletion', step, policy })),
  );
}

/** Steps that change the object, and with it an image. */
function rollbacks(stages: readonly Stage[]): Plan[] {
  const images = stages.map(({ before }) => podImagesOf(before));
  return [...stages.keys()]
    .slice(1, -1)
    .filter((step) => isMadeByObject(stages, step) && isSameObject(stages[step - 1]!, stages[step]!))
    .filter((step) => [...images[step + 1]!].some((image) => !images[step]!.has(image)))
    .map((step) => ({ phase: 'rollback', step }));
}

function isSameObject(one: Stage, other: Stage): boolean {
  const { uid } = one.parent?.metadata ?? {};
  return uid !== undefined && uid === other.parent?.metadata.uid;
}

function workloadFailures(last: number): Plan[] {
  return failures.flatMap((failure) =>
    Array.from({ length: last }, (_, step): Plan => ({ phase: 'workload', step, failure })),
  );
}

function edits(stage: Stage | undefined): Plan[] {
  return (stage?.children ?? []).flatMap(({ child, patch }): Plan[] => [
    ...(patch.length > 0 ? [{ phase: 'edit', child, patch } as const] : []),
    { phase: 'child-deletion', child },
  ]);
}

/** The server does not answer a creation with a conflict, but an operator may repeat it. */
function refusedWrites(stages: readonly Stage[]): Plan[] {
  return refusals.flatMap((answer) =>
    stages.flatMap(({ effective }, step) =>
      effective
        .filter(({ observed }) => answer !== 'Conflict' || observed.verb !== 'create')
        .map(({ write }): Plan => ({ phase: 'refusal', answer, step, write })),
    ),
  );
}

/** Whether users changed nothing but the object itself up to a step, so that all that is there follows from the object. */
function isMadeByObject(stages: readonly Stage[], step: number): boolean {
  const generations = stages
    .slice(0, step + 1)
    .map(({ parent }) => `${parent?.metadata.uid} ${parent?.metadata.generation}`);
  return new Set(generations).size === generations.length;
}

function skippedOf({ stages, watched }: Reference, replicas: number): number {
  const sum = (count: (stage: Stage) => number): number =>
    stages.reduce((all, stage) => all + count(stage), 0);
  const [writes, effective] = [sum((stage) => stage.writes.length), sum((stage) => stage.effective.length)];
  const alike = sum((stage) => stage.effective.length - stage.awaited.length);
  const held = sum((stage) =>
    watched.reduce((points, resource) => points + pointsToHold(stage, resource).length, 0),
  );
  const perWrite = 3 + refusals.length;
  return (
    (writes - effective) * perWrite + alike + replicas * ((writes + stages.length) * watched.length - held)
  );
}
