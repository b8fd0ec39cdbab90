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
}

/** How a write is to be done. */
export interface WriteOptions {
  /** Do everything but store the result. */
  dryRun: boolean;
}
