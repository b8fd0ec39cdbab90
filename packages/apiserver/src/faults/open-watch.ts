import type { EventSink } from '../http/event-sink.ts';

/** A watch that faults can change while it is open. */
export interface OpenWatch {
  /** The resource version up to which everything was delivered. */
  readonly position: number;
  /** Puts a sink in front of the one that the watch writes to. */
  intercept(wrap: (sink: EventSink) => EventSink): void;
  /** Breaks the connection. */
  drop(): void;
  /**
   * Tells the client in an ERROR event that the history is gone (410), and ends the watch.
   *
   * @param message that of the event
   */
  expire(message: string): void;
}
