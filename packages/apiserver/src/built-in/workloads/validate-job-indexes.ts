import type { Job } from 'ots-kubernetes/batch/v1';
import { type FieldError, invalid } from '../../status/field-error.ts';
import { countIndexes, findOverlap } from './index-intervals.ts';
import type { Specified } from './specified.ts';

/** Validates changed lists of indexes in the status of a job. */
export function validateJobIndexes({ spec, status = {} }: Specified<Job>, old: Specified<Job>): FieldError[] {
  const { completions, completionMode, backoffLimitPerIndex } = spec;
  const { completedIndexes = '', failedIndexes } = status;
  const isCompletedChanged = completedIndexes !== (old.status?.completedIndexes ?? '');
  const isFailedChanged = failedIndexes !== old.status?.failedIndexes;
  const errors: FieldError[] = [];
  const add = (name: string, value: unknown, detail: string | undefined): void => {
    if (detail !== undefined) errors.push(invalid(`status.${name}`, value, detail));
  };
  if (isCompletedChanged) {
    add('completedIndexes', completedIndexes, faultOf('completedIndexes', completedIndexes, completions));
    if (completedIndexes !== '' && completionMode !== 'Indexed')
      add(
        'completedIndexes',
        completedIndexes,
        'cannot set non-empty completedIndexes when non-indexed completion mode',
      );
  }
  if (failedIndexes === undefined) return errors;
  if (isFailedChanged && backoffLimitPerIndex !== undefined)
    add('failedIndexes', failedIndexes, faultOf('failedIndexes', failedIndexes, completions));
  if (isFailedChanged && backoffLimitPerIndex === undefined)
    add(
      'failedIndexes',
      failedIndexes,
      'cannot set non-null failedIndexes when backoffLimitPerIndex is null',
    );
  if ((isFailedChanged || isCompletedChanged) && completions !== undefined) {
    const overlap = findOverlap(completedIndexes, failedIndexes, completions);
    if (overlap !== undefined)
      add('failedIndexes', failedIndexes, `failedIndexes and completedIndexes overlap at index: ${overlap}`);
  }
  return errors;
}

function faultOf(name: string, indexes: string, completions: number | undefined): string | undefined {
  if (completions === undefined) return undefined;
  try {
    countIndexes(indexes, completions);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `error parsing ${name}: ${error.message}`;
  }
}
