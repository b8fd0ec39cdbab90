/** Something that runs as long as the manager does. */
export interface Runnable {
  /**
   * Works until the signal aborts, and resolves when it has stopped; resolving earlier is fine. Rejecting stops the
   * whole manager.
   */
  start(signal: AbortSignal): Promise<void>;
}
