import type { Login, LoginSource } from './login.ts';

/** Credentials that never change, or none. */
export class FixedLogin implements LoginSource {
  readonly #login: Login;

  constructor(headers: Login['headers'] = {}) {
    this.#login = { headers };
  }

  refresh(): Promise<void> {
    return Promise.resolve();
  }

  current(): Login {
    return this.#login;
  }

  rejected(): Promise<boolean> {
    return Promise.resolve(false);
  }

  close(): void {}
}
