import type { PodSpec } from 'ots-kubernetes/core/v1';
import { addDefaultTolerations } from './add-default-tolerations.ts';
import type { ClusterClasses } from './cluster-classes.ts';
import type { DecodedPod } from './pod-strategy.ts';
import { admitPriority } from './priority-admission.ts';
import { admitRuntimeClass } from './runtime-class-admission.ts';

/**
 * Runs the default admission plugins on a new pod. Changes it.
 *
 * @throws {StatusError} 403
 */
export function admitPod(pod: DecodedPod, classes: ClusterClasses): void {
  admitPriority(pod, classes);
  addDefaultTolerations(pod.spec);
  admitRuntimeClass(pod, classes);
}

/** Runs the default admission plugins on an update of a pod: what they added stays. Changes the spec. */
export function admitPodUpdate(spec: PodSpec, old: PodSpec): void {
  if (old.priority !== undefined) spec.priority ??= old.priority;
  if (old.preemptionPolicy !== undefined) spec.preemptionPolicy ??= old.preemptionPolicy;
  addDefaultTolerations(spec);
}
