import { type Cache, type DeepReadonly, controllerOf } from 'ots-runtime';
import { Deployment, ReplicaSet, StatefulSet } from 'ots-kubernetes/apps/v1';
import type { PodDisruptionBudget } from 'ots-kubernetes/policy/v1';
import { scaledValue } from '../deployments/limits.ts';
import type { CachedPod } from '../pods/pod-state.ts';

/** How many pods a budget counts with, and how many of them must be healthy. */
export interface ExpectedPods {
  readonly expectedPods: number;
  readonly desiredHealthy: number;
}

/**
 * The pods that a budget expects. A share is of what the controllers of the pods ask for; a number of the pods that there are.
 *
 * @throws {Error} if a controller is not known
 */
export function expectedPodsOf(
  cache: Cache,
  { spec }: DeepReadonly<PodDisruptionBudget>,
  pods: readonly CachedPod[],
): ExpectedPods {
  const { minAvailable, maxUnavailable } = spec ?? {};
  if (maxUnavailable === undefined && typeof minAvailable === 'number')
    return { expectedPods: pods.length, desiredHealthy: minAvailable };
  if (maxUnavailable === undefined && minAvailable === undefined)
    return { expectedPods: 0, desiredHealthy: 0 };
  const managed = pods.filter((pod) => controllerOf(pod));
  const scales = new Map(managed.map((pod) => [controllerOf(pod)!.uid, pod]));
  const expectedPods = [...scales.values()].reduce((sum, pod) => sum + scaleOf(cache, pod), 0);
  const desiredHealthy =
    maxUnavailable === undefined
      ? scaledValue(minAvailable ?? 0, expectedPods, Math.ceil)
      : Math.max(0, expectedPods - scaledValue(maxUnavailable, expectedPods, Math.ceil));
  return { expectedPods, desiredHealthy };
}

/** How many pods the controller of a pod asks for; the Deployment of a ReplicaSet counts in its place. */
function scaleOf(cache: Cache, pod: CachedPod): number {
  const { namespace, name } = pod.metadata;
  const { kind, name: owner = '' } = controllerOf(pod) ?? {};
  const key = { name: owner, namespace };
  const set = kind === 'ReplicaSet' ? cache.get(ReplicaSet, key) : undefined;
  const deployment = set && controllerOf(set);
  const scaled =
    deployment?.kind === 'Deployment'
      ? cache.get(Deployment, { name: deployment.name, namespace })
      : (set ?? (kind === 'StatefulSet' ? cache.get(StatefulSet, key) : undefined));
  if (!scaled) throw new Error(`found no controllers for pod "${name}"`);
  return scaled.spec?.replicas ?? 1;
}
