import type { KeyPair } from './key-pair.ts';

/** Credentials for one request. */
export interface Login {
  /** The names are in lower case. */
  readonly headers: Record<string, string>;
  /** A client certificate that came with the login. */
  readonly keyPair?: KeyPair | undefined;
}

/** Where logins come from: a token, a password, a credential plugin. */
export interface LoginSource {
  /**
   * Makes `current` usable. This takes time only if the login must be renewed.
   * @returns undefined if `current` is usable already.
   * @throws {ConnectionConfigError} when that fails.
   */
  refresh(signal: AbortSignal): Promise<void> | undefined;
  /** The login to use now. */
  current(): Login;
  /** Call this when the server refused `login`. Returns whether another login is or will be available. */
  rejected(login: Login): Promise<boolean>;
  /** Ends renewals in progress. */
  close(): void;
}
