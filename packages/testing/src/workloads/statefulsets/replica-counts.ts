import { type CachedPod, isPodAvailable, isPodReady } from '../pods/pod-state.ts';
import { revisionOf } from './identity.ts';

/** The counts of a StatefulSet's status. */
export interface ReplicaCounts extends Record<string, number> {
  replicas: number;
  readyReplicas: number;
  availableReplicas: number;
  currentReplicas: number;
  updatedReplicas: number;
}

/** What the counts depend on. */
export interface Counting {
  readonly current: string;
  readonly update: string;
  readonly minReadySeconds: number;
  /** In milliseconds since 1970. */
  readonly now: number;
}

/** Whether the server has the pod: others are only planned. */
export function isCreated({ status }: CachedPod): boolean {
  return status?.phase !== undefined;
}

/** Whether a pod runs and is ready. */
export function isHealthy(pod: CachedPod): boolean {
  return pod.status?.phase === 'Running' && isPodReady(pod);
}

/** Counts pods as the statefulset-controller does. */
export function countReplicas(
  pods: readonly CachedPod[],
  { current, update, minReadySeconds, now }: Counting,
): ReplicaCounts {
  const created = pods.filter(isCreated);
  const ready = created.filter(isHealthy);
  const staying = created.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  const ofRevision = (name: string) => staying.filter((pod) => revisionOf(pod) === name).length;
  return {
    replicas: created.length,
    readyReplicas: ready.length,
    availableReplicas: ready.filter((pod) => isPodAvailable(pod, minReadySeconds, now)).length,
    currentReplicas: ofRevision(current),
    updatedReplicas: ofRevision(update),
  };
}
