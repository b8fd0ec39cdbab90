import type { Clock } from '../../clock/clock.ts';
import { conflictIn } from '../../kubeconfig/conflict-in.ts';
import { type ConnectionConfig, ConnectionConfigError } from '../../kubeconfig/connection-config.ts';
import type { Agents } from '../agents.ts';
import { type Undici, loadUndici } from '../undici.ts';
import { impersonationHeaders } from './impersonation-headers.ts';
import type { LoginSource } from './login.ts';
import { loginOf } from './login-of.ts';
import { RotatingAgents } from './rotating-agents.ts';
import { TlsMaterial } from './tls-material.ts';

/** What one request needs to reach the server as the right user. To be used at once: it may be outdated soon. */
export interface Access {
  /** Headers that say who sends the request. */
  readonly headers: Record<string, string | string[]>;
  /** The connections to send it on; they carry the client certificate. */
  readonly agents: Agents;
  /**
   * To be called when the server answered 401.
   * @returns whether the credentials have changed, or can be renewed: the request is then worth retrying once.
   */
  rejected(): Promise<boolean>;
  /**
   * To be called when the certificate of the server could not be verified.
   * @returns whether the authorities have been replaced: the request is then worth retrying once.
   */
  distrusted(): Promise<boolean>;
}

/** The credentials of a connection, kept fresh, and the connections that are made with them. */
export class Credentials {
  readonly #tls: TlsMaterial;
  readonly #login: LoginSource;
  readonly #agents: RotatingAgents;
  readonly #impersonation: Record<string, string | string[]>;
  #undici: Undici | undefined;

  /**
   * @param connections how many there may be for requests.
   * @throws {ConnectionConfigError} when parts of the config do not go together, or cannot be sent.
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
   * @param signal gives up waiting, for a credential plugin above all.
   * @throws {ConnectionConfigError} when the credentials cannot be had; the signal's reason when that aborts.
   */
  async access(signal: AbortSignal): Promise<Access> {
    const undici = (this.#undici ??= loadUndici());
    // In this order: a plugin may receive the certificate authorities.
    await this.#tls.refresh();
    await this.#login.refresh(signal);
    const login = this.#login.current();
    const { ca, keyPair } = this.#tls;
    return {
      headers: { ...login.headers, ...this.#impersonation },
      agents: this.#agents.for(undici, ca, login.keyPair ?? keyPair),
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

  /** Closes every connection; requests under way fail. */
  async close(): Promise<void> {
    this.#login.close();
    await this.#agents.close();
  }
}
