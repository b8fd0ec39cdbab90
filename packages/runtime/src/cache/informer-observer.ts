/** Told of what happens to the informer of one kind, for metrics. */
export interface InformerObserver {
  /** All objects are there, or are no longer, as when the CRD is gone. */
  synced(isSynced: boolean): void;
  /** How many objects are in memory now. */
  objects(count: number): void;
  /** An event, a bookmark or a list arrived. */
  heard(): void;
  /** A watch ended before its time and is opened again. */
  restarted(reason: string): void;
  /** Everything was listed anew. */
  relisted(): void;
  /** The informer has ended for good, as when the last watch on its kind is disposed of. */
  closed(): void;
}
