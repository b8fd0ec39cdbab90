import { goQuote } from 'ots-apimachinery/go/go-quote';

/** A server reports at most this many. */
const maxErrors = 100;

/** Problems of a body that are errors only in strict validation: unknown fields and duplicate keys. */
export class StrictErrors {
  readonly #messages = new Set<string>();

  /** In the order in which they were found, without duplicates. */
  get messages(): readonly string[] {
    return [...this.#messages];
  }

  /** @param path such as `spec.containers[0].foo` */
  unknownField(path: string): void {
    this.add(`unknown field ${goQuote(path)}`);
  }

  duplicateField(path: string): void {
    this.add(`duplicate field ${goQuote(path)}`);
  }

  add(message: string): void {
    if (this.#messages.size < maxErrors) this.#messages.add(message);
  }
}
