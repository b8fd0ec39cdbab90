import type { KubernetesObject } from 'ots-kubernetes';
import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** What happened to an object, as `kubectl describe` shows it. */
export interface EventDetails {
  /** `Warning` for what somebody may have to look at. */
  type: 'Normal' | 'Warning';
  /** Why, as one word in UpperCamelCase that tools branch on, such as `FailedCreate`. At most 128 bytes. */
  reason: string;
  /** What was done or tried, as one word in UpperCamelCase, such as `CreatePod`. At most 128 bytes. */
  action: string;
  /**
   * For people; what is beyond 1 KiB is cut off. Never secrets: everybody who may read events reads them. Events that
   * differ only in their notes are repetitions of the first, whose note stays: what tells them apart belongs into
   * `reason`, `action` or `related`.
   */
  note: string;
  /** Another object that has to do with it, such as the child that was created. */
  related?: DeepReadonly<KubernetesObject> | undefined;
}
