import type { PodCondition, PodStatus } from 'ots-kubernetes/core/v1';
import { timeText } from '../time-text.ts';
import { kubeletConditions, phaseOf } from './pod-status.ts';
import type { RunningPod } from './running-pod.ts';

/** The status that a kubelet writes for a pod. @param written the conditions of its last write, none before the first one */
export function reportedStatus(
  running: RunningPod,
  written: readonly PodCondition[],
): PodStatus & { readonly conditions: PodCondition[] } {
  const { pod, kubelet, address, startTime, inits, regulars, ephemerals, failure, isRejected } = running;
  const observedGeneration = pod.metadata.generation ?? 0;
  if (isRejected) return { observedGeneration, phase: 'Failed', startTime, ...failure, conditions: [] };
  const phase = phaseOf(running);
  const { hostIP } = kubelet;
  const before = written.length > 0 ? written : (pod.status?.conditions ?? []);
  return {
    observedGeneration,
    phase,
    hostIP,
    hostIPs: [{ ip: hostIP }],
    ...(address !== undefined && { podIP: address, podIPs: [{ ip: address }] }),
    startTime,
    ...(ephemerals.length > 0 && { ephemeralContainerStatuses: ephemerals.map((run) => run.status) }),
    ...(inits.length > 0 && { initContainerStatuses: inits.map((run) => run.status) }),
    containerStatuses: regulars.map((run) => run.status).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    ...(phase === 'Failed' && failure),
    conditions: kubeletConditions(running, phase, timeText(running.now), before),
  };
}
