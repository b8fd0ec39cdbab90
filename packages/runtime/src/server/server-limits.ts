/**
 * How long a connection may be idle, before its first request or between two, in milliseconds. Longer than the 90 s of
 * Go's HTTP client, so the API server closes first: it keeps connections open for later, and a request that it sends
 * just when this server closes fails.
 */
const idleTimeout = 120_000;

/**
 * Limits of the time and memory that a client may use, for `createServer`. Without these, a client that sends one byte
 * per minute would keep a connection forever. Times are in milliseconds.
 */
export const serverLimits = {
  keepAliveTimeout: idleTimeout,
  /** The time for the head of a request to arrive; Node counts from the start of the connection. */
  headersTimeout: idleTimeout,
  /** The time for a whole request to arrive. Code that reads long bodies sets its own limit. */
  requestTimeout: idleTimeout,
  /** How often to check the limits above. */
  connectionsCheckingInterval: 5000,
  /** In bytes; bearer tokens are the longest thing in a head. */
  maxHeaderSize: 64 * 1024,
};
