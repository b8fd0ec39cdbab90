/**
 * How long a connection may be idle, before its first request as well as between two, in milliseconds. Longer than the
 * 90 s of Go's HTTP client, so the API server closes first: it opens connections that it then keeps for later, and a
 * request that is sent just when the server closes fails.
 */
const idleTimeout = 120_000;

/**
 * What a client may take of the time and memory of a server, for `createServer`. Without these, one that sends a byte a
 * minute holds a connection forever. Times are in milliseconds.
 */
export const serverLimits = {
  keepAliveTimeout: idleTimeout,
  /** For the head of a request to arrive; Node counts from the opening of the connection. */
  headersTimeout: idleTimeout,
  /** For a whole request to arrive, in milliseconds. Code that reads long bodies limits their time itself. */
  requestTimeout: idleTimeout,
  /** How often the ones above are looked at. */
  connectionsCheckingInterval: 5000,
  /** In bytes; bearer tokens are the longest thing in a head. */
  maxHeaderSize: 64 * 1024,
};
