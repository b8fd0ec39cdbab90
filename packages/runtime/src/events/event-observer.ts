/**
 * Why an event was not written: too many of the object (`spam`), too many waiting (`full`), refused by the server
 * (`refused`), no time left at shutdown (`stopped`), or an invalid event (`invalid`).
 */
export type DropReason = 'spam' | 'full' | 'refused' | 'stopped' | 'invalid';

/** Observes the results of events, for metrics. */
export interface EventObserver {
  /** An event, or the new count of a repeated one, was written. */
  written(): void;
  dropped(reason: DropReason): void;
}
