import type { JobSpec } from 'ots-kubernetes/batch/v1';
import type { ApiObject } from '../../json/api-object.ts';

const manyCompletions = 100_000;
const manyPods = 10_000;

/**
 * Warnings for the writer of a job, when its spec is new or changed.
 *
 * @param path the path of the job's spec
 */
export function warningsForJob(
  spec: JobSpec | undefined,
  path: string,
  { metadata }: ApiObject,
  old: ApiObject | undefined,
): string[] {
  const { completionMode, completions = 0, parallelism = 0 } = spec ?? {};
  const isChanged = metadata.generation !== old?.metadata.generation;
  const isLarge = completions > manyCompletions && parallelism > manyPods;
  if (!isChanged || completionMode !== 'Indexed' || !isLarge) return [];
  return [
    `${path}: In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, Kubernetes might not be able to track completedIndexes when a big number of indexes fail`,
  ];
}
