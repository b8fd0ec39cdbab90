import { unlessAborted } from '../../signals/until-aborted.ts';
import type { Login, LoginSource } from './login.ts';

/** Headers from a function that keeps them fresh itself, such as the one of `fromKubeConfig`. */
export class HeaderLogin implements LoginSource {
  readonly #headers: () => Promise<Record<string, string>>;
  #login: Login = { headers: {} };

  constructor(headers: () => Promise<Record<string, string>>) {
    this.#headers = headers;
  }

  async refresh(signal: AbortSignal): Promise<void> {
    const headers = Object.entries(await unlessAborted(this.#headers(), signal));
    this.#login = {
      headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    };
  }

  current(): Login {
    return this.#login;
  }

  rejected(): Promise<boolean> {
    // The function runs before each request, so its headers are always current.
    return Promise.resolve(false);
  }

  close(): void {}
}
