import type { ConnectionConfig } from '../../kubeconfig/connection-config.ts';
import { ConnectionError } from '../../errors/connection-error.ts';
import { type Agents, createAgents } from '../agents.ts';
import type { Undici } from '../undici.ts';
import type { KeyPair } from './key-pair.ts';

/**
 * The connections to one server. When the certificates to make them with change, new requests go to new connections;
 * what is under way on the old ones, such as a watch, comes to its own end.
 */
export class RotatingAgents {
  readonly #config: ConnectionConfig;
  readonly #connections: number | undefined;
  #current: { agents: Agents; ca: string | undefined; keyPair: KeyPair | undefined } | undefined;
  #closed = false;
  readonly #retired = new Set<Agents>();

  /** @param connections how many there may be for requests. */
  constructor(config: ConnectionConfig, connections?: number) {
    this.#config = config;
    this.#connections = connections;
  }

  /**
   * @throws {ConnectionConfigError} when the certificates cannot be used.
   * @throws {ConnectionError} after `close`.
   */
  for(undici: Undici, ca: string | undefined, keyPair: KeyPair | undefined): Agents {
    // A request may have waited for its credentials meanwhile.
    if (this.#closed) throw new ConnectionError('The client is closed', 'Create a new one.');
    const current = this.#current;
    if (current && current.ca === ca && current.keyPair === keyPair) return current.agents;
    const agents = createAgents(undici, this.#config, { ca, keyPair, connections: this.#connections });
    this.#current = { agents, ca, keyPair };
    if (current) this.#retire(current.agents);
    return agents;
  }

  /** Ends every connection, also of requests under way. */
  async close(): Promise<void> {
    this.#closed = true;
    const all = [...this.#retired];
    if (this.#current) all.push(this.#current.agents);
    await Promise.all(all.map((agents) => agents.destroy()));
  }

  #retire(agents: Agents): void {
    this.#retired.add(agents);
    // Not at once: a request that was given these agents a moment ago is about to be sent on them.
    setImmediate(() => {
      const forget = (): void => void this.#retired.delete(agents);
      // It is rejected when `close` above destroyed them before.
      agents.close().then(forget, forget);
    });
  }
}
