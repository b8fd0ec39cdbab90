import type { Node } from 'ots-kubernetes/core/v1';
import type { DeepReadonly } from 'ots-runtime';

/** A node of the cache. */
export type CachedNode = DeepReadonly<Node>;
