import { tally } from '../reference/counts.ts';
import type { Reference } from '../reference/reference.ts';
import type { Stage } from '../reference/stage.ts';
import type { Step } from '../run/scenario.ts';
import { type Verdict, verdictOf } from './verdict.ts';

/** What is wrong with an operator that nothing disturbs, by the step in which it shows. */
export function undisturbedVerdicts(
  { stages, forbidden, failedReconciles, ownVerdicts }: Reference,
  steps: readonly Step[],
): Verdict[] {
  const each = (oracle: string, look: (stage: Stage) => readonly string[]): Verdict[] =>
    stages.flatMap((stage, index) =>
      verdictOf(
        oracle,
        look(stage).map((line) => `${line} after the object ${steps[index]!.title}`),
      ),
    );
  return [
    ...each('rests', ({ writesAtRest }) => counted(writesAtRest)),
    ...each('status', staleStatus),
    ...verdictOf(
      'rights',
      forbidden.map((request) => `the operator may not ${request}`),
    ),
    ...verdictOf('errors', [...new Set(failedReconciles)]),
    ...verdictOf('leaves nothing', leftBehind(stages.at(-1)!)),
    ...ownVerdicts,
  ];
}

/**
 * Each write once, with how often it was made. One patch of an event is not counted: the recorder writes the last count of a series some
 * minutes after its end.
 */
function counted(writes: readonly string[]): string[] {
  const kept = Object.entries(tally(writes)).filter(
    ([write, count]) => count > 1 || !write.startsWith('patch events.'),
  );
  return kept.map(([write, count]) => {
    const [verb, ...object] = write.split(' ');
    return `${object.join(' ')}: a ${verb} every ${Math.round(600 / count)} s at rest`;
  });
}

function staleStatus({ parent }: Stage): string[] {
  const { status, metadata } = (parent ?? {}) as {
    status?: { observedGeneration?: unknown };
    metadata?: { generation?: number };
  };
  const observed = status?.observedGeneration;
  return typeof observed === 'number' && observed !== metadata?.generation
    ? [`status.observedGeneration is ${observed} and the generation ${metadata?.generation}`]
    : [];
}

/** What an operator has made for an object that is gone, and an object that does not go. */
function leftBehind({ parent, state, writes }: Stage): string[] {
  const remaining = writes
    .filter(({ isCreation }) => isCreation)
    .map(({ text }) => text.slice(text.indexOf(' ') + 1))
    .filter((name) => name in state);
  return [
    ...(parent
      ? [`the deleted object is still there with the finalizers ${parent.metadata.finalizers?.join(', ')}`]
      : []),
    ...remaining.map((name) => `${name}: was created after the deletion, and stays`),
  ];
}
