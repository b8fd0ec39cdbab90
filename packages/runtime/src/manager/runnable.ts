/** Something that runs as long as the manager does. */
export interface Runnable {
  /**
   * Works until the signal aborts, and resolves when it has stopped; resolving earlier is fine. Rejecting stops the
   * whole manager.
   */
  start(signal: AbortSignal): Promise<void>;
  /** Whether it runs on the leader only, which is the default; false runs it on every replica. */
  readonly needsLeaderElection?: boolean | undefined;
  /** Runs on every replica before it leads, to be ready faster when it does. */
  warmUp?(signal: AbortSignal): Promise<void>;
}
