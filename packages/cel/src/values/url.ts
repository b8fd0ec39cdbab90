import type { UrlParts } from 'ots-apimachinery/go/parse-url';
import type { CelValue } from './cel-value.ts';
import { noSuchOverload } from './evaluation-error.ts';
import type { CelEvaluationError } from './evaluation-error.ts';

/** An absolute URL, or a path. */
export class Url {
  readonly typeName = 'kubernetes.URL';
  readonly scheme: string;
  /** Including the port. */
  readonly host: string;
  readonly escapedPath: string;
  readonly query: string;
  readonly #text: string;

  constructor({ scheme, host, escapedPath, query, text }: UrlParts) {
    this.scheme = scheme;
    this.host = host;
    this.escapedPath = escapedPath;
    this.query = query;
    this.#text = text;
  }

  /** Without the port and without the brackets of IPv6. */
  get hostname(): string {
    return this.host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/s, '$1');
  }

  get port(): string {
    return /:(\d*)$/.exec(this.host)?.[1] ?? '';
  }

  equals(other: CelValue): boolean | CelEvaluationError {
    return other instanceof Url ? other.#text === this.#text : noSuchOverload();
  }

  /** In its canonical form. */
  toString(): string {
    return this.#text;
  }
}
