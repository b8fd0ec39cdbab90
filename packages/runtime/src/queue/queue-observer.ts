/** Observes a queue, for metrics. Durations are in milliseconds. */
export interface QueueObserver {
  /** An item became ready to be worked on. */
  added(): void;
  /** An item was handed out after it had been ready for `waited`. */
  started(waited: number): void;
  /** Work on an item took `worked`. */
  finished(worked: number): void;
  /** An item was added with a delay. */
  retried(): void;
}
