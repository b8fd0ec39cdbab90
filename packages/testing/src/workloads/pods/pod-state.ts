import type { DeepReadonly } from 'ots-runtime';
import type { Pod } from 'ots-kubernetes/core/v1';

/** A pod of the cache. */
export type CachedPod = DeepReadonly<Pod>;

/** Whether the condition Ready is true. */
export function isPodReady(pod: CachedPod): boolean {
  return readyCondition(pod)?.status === 'True';
}

/**
 * How long it takes until a pod has been ready for a time, in milliseconds: 0 if it is available, undefined if it is not ready or its
 * condition has no time.
 *
 * @param now in milliseconds since 1970
 */
function untilAvailable(pod: CachedPod, minReadySeconds: number, now: number): number | undefined {
  if (minReadySeconds === 0) return isPodReady(pod) ? 0 : undefined;
  const since = readySince(pod);
  return since === undefined ? undefined : Math.max(0, since + minReadySeconds * 1000 - now);
}

/** Whether a pod has been ready for a time. @param now in milliseconds since 1970 */
export function isPodAvailable(pod: CachedPod, minReadySeconds: number, now: number): boolean {
  return untilAvailable(pod, minReadySeconds, now) === 0;
}

/** When the next pod has been ready for long enough, in milliseconds; undefined if none waits. @param now in milliseconds since 1970 */
export function untilNextAvailable(
  pods: readonly CachedPod[],
  minReadySeconds: number,
  now: number,
): number | undefined {
  if (minReadySeconds === 0) return undefined;
  const waits = pods.map((pod) => untilAvailable(pod, minReadySeconds, now) ?? 0).filter((wait) => wait > 0);
  return waits.length === 0 ? undefined : Math.min(...waits);
}

/** Whether two states of a pod differ in what its controller counts: its owner, labels, deletion, end and readiness. */
export function differsForController(a: CachedPod, b: CachedPod): boolean {
  const counted = (pod: CachedPod) => {
    const { labels, ownerReferences, deletionTimestamp } = pod.metadata;
    const { status, lastTransitionTime } = readyCondition(pod) ?? {};
    const readiness = status === 'True' && lastTransitionTime;
    return JSON.stringify([labels, ownerReferences, deletionTimestamp, isPodTerminal(pod), readiness]);
  };
  return counted(a) !== counted(b);
}

/** Whether all containers of a pod have ended for good. */
export function isPodTerminal({ status }: CachedPod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Whether a pod runs or will run: controllers count it. */
export function isPodActive(pod: CachedPod): boolean {
  return !isPodTerminal(pod) && pod.metadata.deletionTimestamp === undefined;
}

/** Whether a pod is being deleted and still runs. */
export function isPodTerminating(pod: CachedPod): boolean {
  return !isPodTerminal(pod) && pod.metadata.deletionTimestamp !== undefined;
}

/** When the condition Ready became true, in milliseconds since 1970; undefined if it is not, or has no time. */
export function readySince(pod: CachedPod): number | undefined {
  const condition = readyCondition(pod);
  const since = condition?.lastTransitionTime;
  return condition?.status === 'True' && since !== undefined ? Date.parse(since) : undefined;
}

/** The condition Ready; undefined if a pod has none. */
export function readyCondition({ status }: CachedPod) {
  return status?.conditions?.find(({ type }) => type === 'Ready');
}
