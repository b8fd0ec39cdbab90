import type { Reference } from '../reference/reference.ts';
import type { TortureRun } from '../run/torture-run.ts';
import { expectedAfter } from './search.ts';

/**
 * What an operator deleted in the belief that it was another object, or belonged to another one, a line for each object. It counts only for
 * objects that should be there in the end: else the right one and the wrong one have to go.
 */
export function strayDeletionsOf({ strayDeletions }: TortureRun, reference: Reference): string[] {
  const lines = strayDeletions
    .filter(({ object, step }) => object in expectedAfter(step, reference))
    .map(({ object, owner }) =>
      owner === undefined
        ? `${object}: the operator deletes another one than the one it has seen`
        : `${object}: the operator deletes what belongs to another ${owner} than the one it has seen`,
    );
  return [...new Set(lines)];
}
