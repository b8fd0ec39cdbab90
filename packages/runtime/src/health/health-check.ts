/**
 * Looks whether something is as it should be. A problem in words, which everybody who can reach the port of the probes
 * may read, or nothing when all is well. When it throws, the check has failed too, but the error goes to the log only:
 * its message may hold what strangers must not see.
 *
 * @param signal aborts when nobody waits for the answer any more: the caller hung up, or 5 s are over, which counts
 *   as a failure.
 */
export type HealthCheck = (
  signal: AbortSignal,
) => string | undefined | void | Promise<string | undefined | void>;
