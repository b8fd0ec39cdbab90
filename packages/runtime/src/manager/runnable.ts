/** Something that runs as long as the manager does. */
export interface Runnable {
  /** The name in messages; that of its class by default. */
  readonly name?: string | undefined;
  /**
   * Works until the signal aborts, and resolves when it has stopped; resolving earlier is fine. Rejecting stops the
   * whole manager. The signal's reason is a LeadershipLostError when the leadership was lost.
   */
  start(signal: AbortSignal): Promise<void>;
  /** Whether it runs on the leader only, which is the default; false runs it on every replica. */
  readonly needsLeaderElection?: boolean | undefined;
  /**
   * Prepares a replica that does not lead yet, so it starts faster when it does; resolves when it is done. A replica
   * joins the election only after its runnables have warmed up. Rejecting stops the whole manager.
   */
  warmUp?(signal: AbortSignal): Promise<void>;
}
