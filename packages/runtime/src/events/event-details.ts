import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** What happened to an object, as `kubectl describe` shows it. */
export interface EventDetails {
  /** `Warning` for what may need attention. */
  type: 'Normal' | 'Warning';
  /** Why, as one word in UpperCamelCase that tools branch on, such as `FailedCreate`. At most 128 bytes. */
  reason: string;
  /** What was done or tried, as one word in UpperCamelCase, such as `CreatePod`. At most 128 bytes. */
  action: string;
  /**
   * For people; truncated at 1 KiB. Must not contain secrets: every reader of events can see it. Events that differ
   * only in their notes are repetitions of the first, whose note stays: what distinguishes them belongs in `reason`,
   * `action` or `related`.
   */
  note: string;
  /** Another object that is involved, such as the child that was created. */
  related?: DeepReadonly<KubernetesObject> | undefined;
}
