import { dirname, resolve } from 'node:path';
import { ConnectionConfigError } from './connection-config.ts';
import { printable } from './printable.ts';

/** A mapping of a kubeconfig, not yet trusted to have any particular shape. */
export type Section = Record<string, unknown>;

export function isSection(value: unknown): value is Section {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A mapping of a kubeconfig, such as one user, whose fields are checked as they are read. */
export class Entry {
  readonly #body: Section;
  /** What the entry is, for errors, such as `user "admin"`. */
  readonly #what: string;
  readonly file: string;

  constructor(body: Section, what: string, file: string) {
    this.#body = body;
    this.#what = what;
    this.file = file;
  }

  /** Returns undefined when the field is absent, null or empty: Kubernetes does not distinguish these. */
  text(field: string): string | undefined {
    const value = this.#body[field] ?? undefined;
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string') return value;
    throw this.invalid(`${field} is not a string`);
  }

  flag(field: string): boolean {
    const value = this.#body[field] ?? false;
    if (typeof value === 'boolean') return value;
    throw this.invalid(`${field} is neither true nor false`);
  }

  texts(field: string): string[] | undefined {
    const value = this.#body[field] ?? undefined;
    if (value === undefined) return undefined;
    if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value;
    throw this.invalid(`${field} is not a list of strings`);
  }

  /** Returns the mapping in `field` as an entry. */
  entry(field: string): Entry | undefined {
    const value = this.#body[field] ?? undefined;
    if (value === undefined) return undefined;
    if (isSection(value)) return new Entry(value, `${field} of ${this.#what}`, this.file);
    throw this.invalid(`${field} is not a mapping`);
  }

  entries(field: string): Entry[] {
    const value = this.#body[field] ?? [];
    if (!Array.isArray(value)) throw this.invalid(`${field} is not a list`);
    return value.map((each: unknown) => {
      if (isSection(each)) return new Entry(each, `${field} of ${this.#what}`, this.file);
      throw this.invalid(`${field} has an entry that is not a mapping`);
    });
  }

  /** Returns the unchecked value of `field`. */
  raw(field: string): unknown {
    return this.#body[field] ?? undefined;
  }

  fields(): string[] {
    return Object.keys(this.#body);
  }

  /** Returns a path, resolved against the folder of the kubeconfig. */
  path(field: string): string | undefined {
    const path = this.text(field);
    return path === undefined ? undefined : this.resolve(path);
  }

  resolve(path: string): string {
    return resolve(dirname(resolve(this.file)), path);
  }

  /** Returns the text that `field` contains in base64. */
  decoded(field: string): string | undefined {
    const data = this.text(field)?.replaceAll(/[\r\n]/g, '');
    if (data === undefined) return undefined;
    const isBase64 = data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
    if (!isBase64) throw this.invalid(`${field} is not base64`);
    return Buffer.from(data, 'base64').toString('utf8');
  }

  /** Creates the error for an invalid part of this entry. `what` must not quote a value that may be secret. */
  invalid(what: string, hint = 'Correct the file.', cause?: unknown): ConnectionConfigError {
    return new ConnectionConfigError(
      `The kubeconfig ${this.file} is invalid: ${printable(`${this.#what}: ${what}`)}`,
      hint,
      cause,
    );
  }
}
