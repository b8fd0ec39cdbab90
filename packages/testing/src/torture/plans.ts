import type { Plan, RefusedWith } from './plan.ts';
import type { Reference } from './reference.ts';
import type { Step } from './scenario.ts';
import { mutationsOf } from './spec-mutations.ts';

const refusals: readonly RefusedWith[] = ['Conflict', 'TooManyRequests', 'InternalError', 'Timeout'];

/** How many other orders are tried. */
const orders = 3;

/**
 * All plans for an operator. Only writes that change something count: a crash after any other leaves the same cluster as one
 * before it.
 */
export function plansFor({ effective, watched, parents, schema }: Reference, steps: readonly Step[]): Plan[] {
  const points = effective.map(({ step, write }) => ({ step, write }));
  const updates = effective.filter(({ observed }) => observed.verb !== 'create');
  const last = steps.length - 1;
  return [
    ...parents.flatMap((parent, step): Plan[] => (parent && step > 0 ? [{ phase: 'fresh', step }] : [])),
    ...points.map((point): Plan => ({ phase: 'crash', ...point })),
    ...points.map((point): Plan => ({ phase: 'lost-response', ...point })),
    // What a deletion interrupts may stay as it is.
    ...points
      .filter(({ step }) => step < last - 1)
      .map((point): Plan => ({ phase: 'interruption', ...point })),
    ...points.filter(({ step }) => step < last).map((point): Plan => ({ phase: 'recreation', ...point })),
    ...watched.flatMap((resource) => points.map((point): Plan => ({ phase: 'stale', resource, ...point }))),
    ...watched.flatMap((resource) =>
      [...steps.keys()].slice(0, -2).map((step): Plan => ({ phase: 'missed', resource, step })),
    ),
    ...updates.flatMap(({ step, write }) =>
      refusals.map((answer): Plan => ({ phase: 'refusal', answer, step, write })),
    ),
    ...(schema ? mutationsOf(schema, parents[0]?.spec) : []).map((mutation): Plan => ({
      phase: 'spec',
      ...mutation,
    })),
    ...Array.from({ length: orders }, (_, index): Plan => ({ phase: 'order', seed: 101 + index })),
  ];
}
