import type { Clock } from 'ots-apimachinery/clock/clock';
import { conflictIn } from '../../kubeconfig/conflict-in.ts';
import { type ConnectionConfig, ConnectionConfigError } from '../../kubeconfig/connection-config.ts';
import type { Agents } from '../agents.ts';
import { impersonationHeaders } from './impersonation-headers.ts';
import type { LoginSource } from './login.ts';
import { loginOf } from './login-of.ts';
import { RotatingAgents } from './rotating-agents.ts';
import { TlsMaterial } from './tls-material.ts';

/** What one request needs to reach the server as the right user. Use it at once: it may soon be outdated. */
export interface Access {
  /** Headers that authenticate the user. */
  readonly headers: Record<string, string | string[]>;
  /** The connections to send it on; they carry the client certificate. */
  readonly agents: Agents;
  /**
   * Call this when the server responded with 401.
   * @returns true when the credentials have changed or can be renewed: then retry the request once.
   */
  rejected(): Promise<boolean>;
  /**
   * Call this when the server's certificate could not be verified.
   * @returns true when the authorities have been replaced: then retry the request once.
   */
  distrusted(): Promise<boolean>;
}

/** Keeps the credentials of a connection fresh, and owns the sockets that use them. */
export class Credentials {
  readonly #tls: TlsMaterial;
  readonly #login: LoginSource;
  readonly #agents: RotatingAgents;
  readonly #impersonation: Record<string, string | string[]>;

  /**
   * @param connections the maximum for requests.
   * @throws {ConnectionConfigError} when parts of the config conflict, or cannot be sent.
   */
  constructor(config: ConnectionConfig, clock: Clock, connections?: number) {
    const conflict = conflictIn(config);
    if (conflict) throw new ConnectionConfigError(conflict, 'Use only one of them in the connection.');
    this.#tls = new TlsMaterial(config, clock);
    this.#login = loginOf(config, clock, () => this.#tls.ca);
    this.#agents = new RotatingAgents(config, connections);
    this.#impersonation = config.impersonate ? impersonationHeaders(config.impersonate) : {};
  }

  /**
   * Returns the current credentials, after renewing them if necessary.
   * @param signal stops waiting, for example for a credential plugin.
   * @throws {ConnectionConfigError} when no credentials are available; the signal's reason when it aborts.
   */
  async access(signal: AbortSignal): Promise<Access> {
    // In this order: a plugin may receive the certificate authorities.
    // Awaiting only promises is faster: hardly any request has to wait.
    const reading = this.#tls.refresh();
    if (reading) await reading;
    const renewing = this.#login.refresh(signal);
    if (renewing) await renewing;
    const login = this.#login.current();
    const { ca, keyPair } = this.#tls;
    return {
      headers: { ...login.headers, ...this.#impersonation },
      agents: this.#agents.for(ca, login.keyPair ?? keyPair),
      rejected: async () => {
        const isRenewed = await this.#login.rejected(login);
        await this.#tls.refresh(true);
        return isRenewed || this.#tls.keyPair !== keyPair;
      },
      distrusted: async () => {
        await this.#tls.refresh(true);
        return this.#tls.ca !== ca;
      },
    };
  }

  /** Closes every connection after its last response. */
  retire(): void {
    this.#login.close();
    this.#agents.retire();
  }

  /** Closes every connection; requests under way fail. */
  async close(): Promise<void> {
    this.#login.close();
    await this.#agents.close();
  }
}
