import type { Login, LoginSource } from './login.ts';

/** Credentials that never change, or none. */
export class FixedLogin implements LoginSource {
  readonly #login: Login;

  constructor(headers: Login['headers'] = {}) {
    this.#login = { headers };
  }

  refresh(): undefined {
    return undefined;
  }

  current(): Login {
    return this.#login;
  }

  rejected(): Promise<boolean> {
    return Promise.resolve(false);
  }

  close(): void {}
}
