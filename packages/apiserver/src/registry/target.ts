import type { Resource } from './resource.ts';

/** Which objects a request is about. */
export interface Target {
  resource: Resource;
  /** Empty for cluster-scoped resources, and for a list over all namespaces. */
  namespace: string;
  /** Empty for a collection. */
  name: string;
  /** Empty for the object itself. */
  subresource: string;
  /** Asked for by a path below `watch/`: changes are told, of one object too. */
  isWatch?: boolean;
}

/** How a write is to be done. */
export interface WriteOptions {
  /** Do everything but store the result. */
  dryRun: boolean;
  /** Who comes to own what is written. Without one nothing is tracked: the managers are those of the object. */
  manager?: string;
  /** Takes what the client is to be told beside the answer, also when the answer is a refusal. */
  warnings?: string[];
}
