import type { KeyPair } from './key-pair.ts';

/** How a request says who sends it. */
export interface Login {
  /** With names in lower case. */
  readonly headers: Record<string, string>;
  /** A client certificate that came with it. */
  readonly keyPair?: KeyPair | undefined;
}

/** Where logins come from: a token, a password, a credential plugin. */
export interface LoginSource {
  /**
   * Makes `current` usable, which only takes time if it must be renewed.
   * @throws {ConnectionConfigError} when it cannot.
   */
  refresh(signal: AbortSignal): Promise<void>;
  /** The login to use now. */
  current(): Login;
  /** To be called when the server refused `login`. Returns whether there is, or will be, another one. */
  rejected(login: Login): Promise<boolean>;
  /** Ends what is under way. */
  close(): void;
}
