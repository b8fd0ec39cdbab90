import type { Service } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';
import { type CachedPod, readyCondition } from '../pods/pod-state.ts';

/** The annotation with the time of the change that led to the last write of endpoints. */
const triggerTimeAnnotation = 'endpoints.kubernetes.io/last-change-trigger-time';

/** Finds out which change of a Service or its pods leads to a write of endpoints. */
export class TriggerTimes {
  /** By Service: the times of its pods by name, as of the last reconcile. */
  readonly #known = new Map<string, ReadonlyMap<string, string>>();

  /**
   * Looks for the earliest change since the last call. The first call for a Service returns the time of its creation.
   *
   * @returns a time as in objects; undefined if no time changed
   */
  next({ metadata }: DeepReadonly<Service>, pods: readonly CachedPod[]): string | undefined {
    const key = `${metadata.namespace}/${metadata.name}`;
    const known = this.#known.get(key);
    const times = new Map(
      pods.flatMap((pod) => {
        const time = readyCondition(pod)?.lastTransitionTime;
        return time === undefined ? [] : [[pod.metadata.name!, time] as const];
      }),
    );
    this.#known.set(key, times);
    if (!known) return metadata.creationTimestamp;
    return [...times]
      .filter(([pod, time]) => time > (known.get(pod) ?? ''))
      .map(([, time]) => time)
      .toSorted()[0];
  }

  /** Forgets a Service that is gone. @param key its namespace and name with a slash between them */
  forget(key: string): void {
    this.#known.delete(key);
  }
}

/** Annotations with a new trigger time, without the old one. */
export function withTriggerTime(
  annotations: Readonly<Record<string, string>> | undefined,
  time: string | undefined,
): Record<string, string> {
  const { [triggerTimeAnnotation]: _, ...others } = annotations ?? {};
  return { ...others, ...(time !== undefined && { [triggerTimeAnnotation]: time }) };
}
