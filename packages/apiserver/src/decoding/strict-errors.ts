import { goQuote } from 'ots-cel/go-quote';

/** No more are told, however many there are. */
const maxErrors = 100;

/** What is odd about a body, but no reason to refuse it unless the client asks for that: fields that nobody knows, or that are there twice. */
export class StrictErrors {
  readonly #messages = new Set<string>();

  /** In the order in which they were found, each once. */
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
