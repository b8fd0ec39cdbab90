import type { Stage } from '../reference/stage.ts';
import type { Plan } from './plan.ts';

/**
 * Before which writes holding the events of a resource makes a difference: a view that is held between two writes is the same as one that is
 * held before the first of them if nothing arrives in between.
 */
export function pointsToHold({ effective, events }: Stage, resource: string): number[] {
  const arrivals = events.filter((event) => event.resource === resource).map(({ write }) => write);
  const points = [1, ...effective.map(({ write }) => write + 1)];
  return points.filter((point, index) => {
    const next = points[index + 1] ?? Infinity;
    return arrivals.some((write) => write >= point && write < next);
  });
}

/** Plans in which the operator sees nothing new of a resource for a while. The creation is last: there is nothing to destroy yet. */
export function staleViews(
  stages: readonly Stage[],
  watched: readonly string[],
): Extract<Plan, { phase: 'stale' }>[] {
  const inOrder = [...stages.entries()].toSorted(([one], [other]) => Number(one === 0) - Number(other === 0));
  return inOrder.flatMap(([step, stage]) =>
    watched.flatMap((resource) =>
      pointsToHold(stage, resource).map((write) => ({ phase: 'stale', resource, step, write }) as const),
    ),
  );
}

/** Plans in which a second replica takes over with such a view, at the end of the step or of the next one, where it may do harm to what that made. */
export function takeovers(stages: readonly Stage[], watched: readonly string[]): Plan[] {
  return staleViews(stages, watched).flatMap((view) =>
    [view.step, view.step + 1]
      .filter((step) => step < stages.length)
      .map((takesOver): Plan => ({ ...view, phase: 'takeover', takesOver })),
  );
}

/** Plans in which the operator does not see how a resource changes. */
export function missedStates(stages: readonly Stage[], watched: readonly string[]): Plan[] {
  return stages.slice(0, -1).flatMap(({ events }, step) =>
    watched
      .filter((resource) => events.some((event) => event.resource === resource))
      .flatMap((resource) =>
        // What is being deleted need not make up for anything.
        (stages[step + 1]!.parent ? [step, step + 1] : [step]).map((until): Plan => ({
          phase: 'missed',
          resource,
          step,
          until,
        })),
      ),
  );
}
