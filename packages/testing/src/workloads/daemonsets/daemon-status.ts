import type { DeepReadonly } from 'ots-runtime';
import type { DaemonSetStatus } from 'ots-kubernetes/apps/v1';
import { isPodAvailable, isPodReady } from '../pods/pod-state.ts';
import { withoutZeros } from '../without-zeros.ts';
import { isUpdated } from './daemon-pod.ts';
import type { DaemonView } from './daemon-view.ts';
import { scheduledAndOldestFirst } from './node-plan.ts';

/** The status of a DaemonSet. The oldest pod counts for a node. */
export function daemonStatus(view: DaemonView, hash: string, now: number): DeepReadonly<DaemonSetStatus> {
  const { set } = view;
  const counts = { current: 0, misscheduled: 0, desired: 0, ready: 0, updated: 0, available: 0 };
  for (const { placement, pods } of view.nodes.values()) {
    const [pod] = pods.toSorted(scheduledAndOldestFirst);
    if (placement.starts) counts.desired++;
    if (!pod) continue;
    if (!placement.starts) counts.misscheduled++;
    else {
      counts.current++;
      if (isPodReady(pod)) counts.ready++;
      if (isPodAvailable(pod, set.spec.minReadySeconds ?? 0, now)) counts.available++;
      if (isUpdated(pod, set, hash)) counts.updated++;
    }
  }
  const { conditions, collisionCount } = set.status ?? {};
  return {
    currentNumberScheduled: counts.current,
    numberMisscheduled: counts.misscheduled,
    desiredNumberScheduled: counts.desired,
    numberReady: counts.ready,
    ...withoutZeros({
      observedGeneration: set.metadata.generation ?? 0,
      updatedNumberScheduled: counts.updated,
      numberAvailable: counts.available,
      numberUnavailable: counts.desired - counts.available,
    }),
    ...(collisionCount !== undefined && { collisionCount }),
    ...(conditions && { conditions }),
  };
}
