import type { ConnectionConfig } from '../../kubeconfig/connection-config.ts';
import { ConnectionError } from '../../errors/connection-error.ts';
import { type Agents, createAgents } from '../agents.ts';
import { localAgents } from '../local-agents.ts';
import type { KeyPair } from './key-pair.ts';

/**
 * The connections to one server. When the certificates change, new requests use new connections; exchanges in progress
 * on the old ones, such as a watch, continue until they end.
 */
export class RotatingAgents {
  readonly #config: ConnectionConfig;
  readonly #connections: number | undefined;
  #current: { agents: Agents; ca: string | undefined; keyPair: KeyPair | undefined } | undefined;
  #closed = false;
  #isRetired = false;
  readonly #retired = new Set<Agents>();

  /** @param connections the maximum for requests. */
  constructor(config: ConnectionConfig, connections?: number) {
    this.#config = config;
    this.#connections = connections;
  }

  /**
   * Returns the connections that use these certificates.
   * @throws {ConnectionConfigError} when the certificates cannot be used.
   * @throws {ConnectionError} after `close`.
   */
  for(ca: string | undefined, keyPair: KeyPair | undefined): Agents {
    // `close` may have been called while a request waited for its credentials.
    if (this.#closed) throw new ConnectionError('The client is closed', 'Create a new one.');
    const current = this.#current;
    if (current && current.ca === ca && current.keyPair === keyPair) return current.agents;
    const { exchange } = this.#config;
    const agents = exchange
      ? localAgents(exchange)
      : createAgents(this.#config, { ca, keyPair, connections: this.#connections });
    this.#current = { agents, ca, keyPair };
    if (current) this.#retire(current.agents);
    if (this.#isRetired) this.#retire(agents);
    return agents;
  }

  /** Closes every connection after its last response. Requests that already have their credentials are still sent. */
  retire(): void {
    this.#isRetired = true;
    if (this.#current) this.#retire(this.#current.agents);
  }

  /** Closes every connection, including those of requests in progress. */
  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#retired];
    if (this.#current) all.push(this.#current.agents);
    await Promise.all(all.map((agents) => agents.destroy()));
  }

  #retire(agents: Agents): void {
    this.#retired.add(agents);
    // Not at once: a request that just received these agents is about to use them.
    setImmediate(() => {
      const forget = (): void => void this.#retired.delete(agents);
      // It rejects if `close` above has already destroyed them.
      agents.close().then(forget, forget);
    });
  }
}
