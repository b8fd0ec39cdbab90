import type { Duplex } from 'node:stream';

/**
 * What simulated applications and the operators under test reach: simulated pods at their addresses, and Services by their addresses
 * and names, such as `http://db-0.db.shop.svc:2379`. It is in this process and uses no sockets.
 */
export interface Network {
  /**
   * Sends an HTTP request to a simulated application, as the global `fetch` does. With `https`, too, requests travel without TLS.
   * Redirects are not followed.
   *
   * @returns rejects with a {TypeError} whose `cause` has the `code` of Node.js when no application answers: `ENOTFOUND` for a name
   *   that leads nowhere, `ECONNREFUSED` where nothing listens, `EHOSTUNREACH` for an address without a pod, and `ECONNRESET` when the
   *   application ends before its answer; with the reason of the signal when it aborts
   */
  readonly fetch: typeof globalThis.fetch;
  /**
   * Connects to a simulated application, as `connect` of `node:net` does.
   *
   * @param port from 1 to 65535
   * @returns the connection. It emits `connect`, or an error with the codes of {@link fetch}.
   */
  readonly connect: (port: number, host: string) => Duplex;
}
