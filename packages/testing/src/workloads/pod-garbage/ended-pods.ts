import type { Cache } from 'ots-runtime';
import { Pod } from 'ots-kubernetes/core/v1';
import { type CachedPod, isPodTerminal } from '../pods/pod-state.ts';

/** How many pods that have ended are kept, as kube-controller-manager has it by default. */
export const maxEndedPods = 12_500;
const index = 'ended';

/** Lets {@link endedPods} find pods without reading all of them. To be called before the manager starts. */
export function indexByEnd(cache: Cache): void {
  cache.addIndex(Pod, index, isEnded);
}

/** The pods that have ended. */
export function endedPods(cache: Cache): CachedPod[] {
  return cache.list(Pod, { index: { [index]: 'true' } });
}

/** Those of pods that have ended which are too many: those that were evicted, then the oldest. */
export function excessPods(pods: readonly CachedPod[], limit: number): CachedPod[] {
  return pods.length <= limit ? [] : pods.toSorted(byEvictionAndAge).slice(0, pods.length - limit);
}

function isEnded(pod: CachedPod): string[] {
  return isPodTerminal(pod) ? ['true'] : [];
}

function byEvictionAndAge(a: CachedPod, b: CachedPod): number {
  if (isEvicted(a) !== isEvicted(b)) return isEvicted(a) ? -1 : 1;
  const [ageOfA, ageOfB] = [a, b].map(({ metadata }) => Date.parse(metadata.creationTimestamp ?? ''));
  return ageOfA! - ageOfB! || (a.metadata.name! < b.metadata.name! ? -1 : 1);
}

function isEvicted({ status }: CachedPod): boolean {
  return status?.phase === 'Failed' && status.reason === 'Evicted';
}
