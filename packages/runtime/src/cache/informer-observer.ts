/** Observes the informer of one kind, for metrics. */
export interface InformerObserver {
  /** All objects are cached, or no longer are, for example because the CRD was deleted. */
  synced(isSynced: boolean): void;
  /** How many objects are in memory now. */
  objects(count: number): void;
  /** There is nothing to watch: no namespace is selected. */
  idle(): void;
  /** An event, a bookmark or a list arrived. */
  heard(): void;
  /** A watch ended early and is reopened. */
  restarted(reason: string): void;
  /** All objects were listed again. */
  relisted(): void;
  /** The informer has stopped for good, for example because the last watch of its kind was disposed of. */
  closed(): void;
}
