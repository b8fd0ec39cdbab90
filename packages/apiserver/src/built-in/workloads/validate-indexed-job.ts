import type { JobSpec } from 'ots-kubernetes/batch/v1';
import { type FieldError, invalid, required } from '../../status/field-error.ts';

const maxParallelism = 100_000;
const maxFailedCount = 100_000;
const manyCompletions = 100_000;
/** For a job with many completions and a backoff limit per index. */
const maxForManyCompletions = 10_000;

/** Validates the limits of an indexed job: the lists of indexes in its status must stay short. */
export function validateIndexedJob(spec: JobSpec, path: string): FieldError[] {
  const { completions, parallelism = 0, maxFailedIndexes } = spec;
  const limits = `${path}.maxFailedIndexes`;
  return [
    ...(completions === undefined
      ? [required(`${path}.completions`, 'when completion mode is Indexed')]
      : []),
    ...(parallelism > maxParallelism
      ? [
          invalid(
            `${path}.parallelism`,
            parallelism,
            `must be less than or equal to ${maxParallelism} when completion mode is Indexed`,
          ),
        ]
      : []),
    ...(maxFailedIndexes !== undefined && completions !== undefined && maxFailedIndexes > completions
      ? [invalid(limits, maxFailedIndexes, 'must be less than or equal to completions')]
      : []),
    ...(maxFailedIndexes !== undefined && maxFailedIndexes > maxFailedCount
      ? [invalid(limits, maxFailedIndexes, `must be less than or equal to ${maxFailedCount}`)]
      : []),
    ...validateManyCompletions(spec, path),
  ];
}

function validateManyCompletions(
  { completions = 0, parallelism = 0, maxFailedIndexes, backoffLimitPerIndex }: JobSpec,
  path: string,
): FieldError[] {
  if (completions <= manyCompletions || backoffLimitPerIndex === undefined) return [];
  const detail = `must be less than or equal to ${maxForManyCompletions} when completions are above ${manyCompletions} and used with backoff limit per index`;
  const limits = `${path}.maxFailedIndexes`;
  return [
    ...(maxFailedIndexes === undefined
      ? [required(limits, `must be specified when completions is above ${manyCompletions}`)]
      : []),
    ...(parallelism > maxForManyCompletions ? [invalid(`${path}.parallelism`, parallelism, detail)] : []),
    ...(maxFailedIndexes !== undefined && maxFailedIndexes > maxForManyCompletions
      ? [invalid(limits, maxFailedIndexes, detail)]
      : []),
  ];
}
