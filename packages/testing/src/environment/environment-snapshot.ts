import type { Snapshot } from 'ots-apiserver';
import type { TestMetric } from '../metrics/metric.ts';
import type { WorkloadMemory } from '../workloads/workload-context.ts';

/** A cluster as it was. It costs little: objects are not copied. It is plain data, which a worker thread can receive. */
export interface EnvironmentSnapshot extends Snapshot {
  /** Where the virtual clock was, in milliseconds since its beginning; undefined with real time. */
  readonly time: number | undefined;
  /** What the nodes and controllers know beside the objects; undefined without workloads. */
  readonly workloads: WorkloadMemory | undefined;
  /** Undefined in a cluster without metrics. */
  readonly metrics: readonly TestMetric[] | undefined;
}

/**
 * The seed of a cluster that continues another one: chance does not repeat what is in the snapshot already, whatever the seeds.
 *
 * @param seed an integer
 */
export function seedAfter(seed: number, { revision }: EnvironmentSnapshot): number {
  // Spreads revisions, which are close to each other, over 32 bits: the golden ratio, as in Fibonacci hashing.
  return seed ^ Math.imul(revision, 0x9e3779b1);
}
