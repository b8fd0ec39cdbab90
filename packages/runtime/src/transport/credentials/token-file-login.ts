import type { Clock } from 'ots-apimachinery/clock/clock';
import { bearer } from './bearer.ts';
import { FreshFile } from './fresh-file.ts';
import type { Login, LoginSource } from './login.ts';

/** A token from a file. Reads the file again when the token is a minute old, or when the server refuses it. */
export class TokenFileLogin implements LoginSource {
  readonly #file: FreshFile;
  readonly #spare: string | undefined;

  /** @param spare the token to use until the file can be read. */
  constructor(path: string, spare: string | undefined, clock: Clock) {
    this.#file = new FreshFile(path, clock);
    this.#spare = spare;
  }

  refresh(): Promise<void> | undefined {
    const reading = this.#file.refresh();
    return this.#spare === undefined ? reading : reading?.catch(() => {});
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
