import type { DeepReadonly } from '../objects/deep-readonly.ts';

/** A list of objects, or one page of it. */
export interface ObjectList<T> {
  /** In the order of the server; from a cache in none. */
  items: DeepReadonly<T>[];
  /** What is known of the list as a whole. */
  metadata: {
    /** The version of the whole list; absent when a cache answered. */
    resourceVersion?: string;
    /** Where the next page begins; absent on the last page. */
    continue?: string;
    /** How many items follow; not always told. */
    remainingItemCount?: number;
  };
}
