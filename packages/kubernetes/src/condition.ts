import type { Time, int64 } from './scalars.ts';

/** One aspect of an object's observed state, as listed in `status.conditions`. */
export interface Condition {
  /** When `status` last changed (not `reason` or `message`). */
  lastTransitionTime: Time;
  /** A sentence for people. May be empty. */
  message: string;
  /** The `metadata.generation` that this condition refers to. */
  observedGeneration?: int64;
  /** A machine-readable word in CamelCase. */
  reason: string;
  status: 'True' | 'False' | 'Unknown';
  type: string;
}
