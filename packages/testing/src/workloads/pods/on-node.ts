import type { Cache } from 'ots-runtime';
import { Pod } from 'ots-kubernetes/core/v1';
import type { CachedPod } from './pod-state.ts';

const index = 'node';

/** Lets {@link podsOnNode} find pods without reading all of them. To be called before the manager starts. */
export function indexByNode(cache: Cache): void {
  cache.addIndex(Pod, index, nodeOf);
}

/** The pods that are bound to a node, in the order of their namespaces and names. */
export function podsOnNode(cache: Cache, node: string): CachedPod[] {
  return cache.list(Pod, { index: { [index]: node } }).toSorted(byKey);
}

function nodeOf({ spec }: CachedPod): string[] {
  return spec?.nodeName ? [spec.nodeName] : [];
}

function byKey({ metadata: a }: CachedPod, { metadata: b }: CachedPod): number {
  if (a.namespace !== b.namespace) return a.namespace! < b.namespace! ? -1 : 1;
  return a.name! < b.name! ? -1 : 1;
}
