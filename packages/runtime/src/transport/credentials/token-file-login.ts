import type { Clock } from '../../clock/clock.ts';
import { bearer } from './bearer.ts';
import { FreshFile } from './fresh-file.ts';
import type { Login, LoginSource } from './login.ts';

/** A token from a file that is read again when it is a minute old, or when the server refuses what was in it. */
export class TokenFileLogin implements LoginSource {
  readonly #file: FreshFile;
  readonly #spare: string | undefined;

  /** @param spare the token to use while the file has never been readable. */
  constructor(path: string, spare: string | undefined, clock: Clock) {
    this.#file = new FreshFile(path, clock);
    this.#spare = spare;
  }

  async refresh(): Promise<void> {
    try {
      await this.#file.refresh();
    } catch (error) {
      if (this.#spare === undefined) throw error;
    }
  }

  current(): Login {
    return { headers: bearer(this.#file.text?.trim() ?? this.#spare ?? '') };
  }

  async rejected(login: Login): Promise<boolean> {
    await this.#file.refresh(true);
    return this.current().headers['authorization'] !== login.headers['authorization'];
  }

  close(): void {}
}
