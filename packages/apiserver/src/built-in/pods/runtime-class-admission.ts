import type { RuntimeClass } from 'ots-kubernetes/node/v1';
import { forbidden } from '../../status/errors.ts';
import type { StatusError } from '../../status/status-error.ts';
import type { ClusterClasses } from './cluster-classes.ts';
import { mergeTolerations } from './merge-tolerations.ts';
import type { DecodedPod } from './pod-strategy.ts';
import { sameSpec } from './same-spec.ts';

const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/**
 * The admission plugin RuntimeClass: adds the overhead and scheduling of the class. Changes the pod.
 *
 * @throws {StatusError} 403 when the class does not exist, or the pod states something else
 */
export function admitRuntimeClass(pod: DecodedPod, classes: ClusterClasses): void {
  const { spec } = pod;
  const found = classOf(pod, classes);
  const fixed = found?.overhead?.podFixed;
  if (found?.overhead) {
    if (Object.keys(spec.overhead ?? {}).length > 0 && !isSameOverhead(spec.overhead, fixed))
      throw refuse(pod, mismatch);
    if (fixed) spec.overhead = { ...fixed };
    else delete spec.overhead;
  }
  if (!found?.scheduling) return;
  const { nodeSelector = {}, tolerations = [] } = found.scheduling;
  for (const [key, value] of Object.entries(nodeSelector)) {
    const own = Object.hasOwn(spec.nodeSelector ?? {}, key) ? spec.nodeSelector?.[key] : value;
    if (own !== value) {
      throw refuse(
        pod,
        `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
      );
    }
  }
  if (Object.keys(nodeSelector).length > 0) spec.nodeSelector = { ...spec.nodeSelector, ...nodeSelector };
  spec.tolerations = mergeTolerations([...(spec.tolerations ?? []), ...tolerations]);
}

/**
 * The plugin's validation: a pod without a class must not have an overhead.
 *
 * @throws {StatusError} 403
 */
export function validateOverheadAdmission(pod: DecodedPod, classes: ClusterClasses): void {
  const { overhead } = pod.spec;
  const found = classOf(pod, classes);
  if (found?.overhead && !isSameOverhead(overhead, found.overhead.podFixed)) throw refuse(pod, mismatch);
  if (!found?.overhead && overhead !== undefined) {
    throw refuse(pod, 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead');
  }
}

function classOf(pod: DecodedPod, classes: ClusterClasses): Readonly<RuntimeClass> | undefined {
  const { runtimeClassName: name } = pod.spec;
  if (name === undefined) return undefined;
  const found = classes.runtime(name);
  if (!found) throw refuse(pod, `pod rejected: RuntimeClass ${JSON.stringify(name)} not found`);
  return found;
}

function isSameOverhead(one: object | undefined, other: object | undefined): boolean {
  return sameSpec({ overhead: one }, { overhead: other });
}

function refuse({ metadata }: DecodedPod, detail: string): StatusError {
  return forbidden({ group: '', name: 'pods' }, metadata.name ?? '', detail);
}
