import { type Cache, type DeepReadonly, controllerOf } from 'ots-runtime';
import type { KubernetesObject } from 'ots-kubernetes';
import { Pod } from 'ots-kubernetes/core/v1';
import type { CachedPod } from './pod-state.ts';

const index = 'controller';
const orphan = '';

/** Lets {@link controlledPods} find pods without reading all of them. To be called before the manager starts. */
export function indexPodsByController(cache: Cache): void {
  cache.addIndex(Pod, index, controllerUid);
}

/** The pods that an object controls, in the order of their names. */
export function controlledPods(cache: Cache, owner: DeepReadonly<KubernetesObject>): CachedPod[] {
  return podsOf(cache, owner, owner.metadata.uid ?? '');
}

/** The pods of a namespace that no object controls, in the order of their names. */
export function orphanedPods(cache: Cache, owner: DeepReadonly<KubernetesObject>): CachedPod[] {
  return podsOf(cache, owner, orphan);
}

function podsOf(cache: Cache, { metadata }: DeepReadonly<KubernetesObject>, uid: string): CachedPod[] {
  const pods = cache.list(Pod, { namespace: metadata.namespace, index: { [index]: uid } });
  return pods.toSorted((a, b) => (a.metadata.name! < b.metadata.name! ? -1 : 1));
}

function controllerUid(pod: CachedPod): string[] {
  return [controllerOf(pod)?.uid ?? orphan];
}
