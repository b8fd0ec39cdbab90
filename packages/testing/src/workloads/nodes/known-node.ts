import type { Cache } from 'ots-runtime';
import { Node } from 'ots-kubernetes/core/v1';
import type { CachedPod } from '../pods/pod-state.ts';
import type { CachedNode } from './cached-node.ts';

/** The node of a pod for predicates, which may ask before the cache is filled. @returns undefined if it is not known, or not yet */
export function knownNodeOf(cache: Cache, { spec }: CachedPod): CachedNode | undefined {
  return cache.informer(Node).isSynced ? cache.get(Node, { name: spec?.nodeName ?? '' }) : undefined;
}
