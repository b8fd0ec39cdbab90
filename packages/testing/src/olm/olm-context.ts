import type { Clock } from 'ots-apimachinery/clock/clock';
import type { Manager } from 'ots-runtime';
import type { Components } from '../workloads/components.ts';
import type { WorkloadFailures } from '../workloads/failures/workload-failures.ts';

/** What the controllers of OLM share. */
export interface OlmContext {
  /** Its cache has what they watch. */
  readonly manager: Manager;
  readonly clock: Clock;
  /** A number in [0, 1). */
  readonly random: () => number;
  /** Clients and events in the names of OLM's programs. */
  readonly components: Components;
  /** Makes pods wait for images that do not exist. */
  readonly failures: WorkloadFailures;
  /** The directories with the contents of images, by their names. */
  readonly images: ReadonlyMap<string, string>;
}
