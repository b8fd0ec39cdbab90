import { ProtobufError } from './wire-reader.ts';

/** How deep messages may be nested: far beyond any real object, and well within the stack of every function that walks one. */
const maxMessageDepth = 400;
/**
 * How many messages a body may have: two bytes suffice for one, and its JSON is far longer. No object that can be
 * stored has as many.
 */
const maxMessages = 100_000;

/** Counts the messages of one body, so a small body cannot become a huge object. */
export class ReadLimits {
  #depth = 0;
  #messages = 0;

  /** @throws {ProtobufError} when there are too many messages, or they are nested too deep */
  within<T>(read: () => T): T {
    this.#messages += 1;
    if (this.#messages > maxMessages) throw new ProtobufError('exceeded max number of messages');
    if (this.#depth > maxMessageDepth) throw new ProtobufError('exceeded max depth');
    this.#depth += 1;
    const result = read();
    this.#depth -= 1;
    return result;
  }
}
