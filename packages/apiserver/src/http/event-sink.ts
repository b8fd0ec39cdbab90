import { maxStallMs } from '../web-socket/message-socket.ts';
import type { HttpResponse } from './http-message.ts';

/** Receives the events of a watch. */
export interface EventSink {
  /** The number of characters added but not sent yet. */
  readonly size: number;
  /** Whether the connection is closed. */
  readonly isClosed: boolean;
  /** @param event its JSON text */
  add(event: string): void;
  /**
   * Sends the added events.
   *
   * @returns false when the client must read before the sink can send more
   */
  flush(): boolean;
  /** Ends the watch. Cuts off a client that does not read the rest within a while. */
  end(): void;
  /** Breaks the connection. */
  destroy(): void;
  /**
   * @param drained called when the client has read
   * @param closed called when the connection is gone
   */
  listen(drained: () => void, closed: () => void): void;
}

/** Longer texts are written as bytes: a waiting text takes up to three bytes per character. */
const shortText = 16 * 1024;

/** Writes events as lines of a streaming response. */
export class LineSink implements EventSink {
  readonly #response: HttpResponse;
  #lines = '';

  /** @param response a response whose head is sent */
  constructor(response: HttpResponse) {
    this.#response = response;
  }

  get size(): number {
    return this.#lines.length;
  }

  get isClosed(): boolean {
    return this.#response.destroyed || this.#response.writableEnded;
  }

  add(event: string): void {
    this.#lines += `${event}\n`;
  }

  flush(): boolean {
    const lines = this.#lines;
    this.#lines = '';
    return this.#response.write(lines.length > shortText ? Buffer.from(lines) : lines);
  }

  end(): void {
    this.#response.setTimeout(maxStallMs, () => this.#response.destroy());
    this.#response.end();
  }

  destroy(): void {
    this.#response.destroy();
  }

  listen(drained: () => void, closed: () => void): void {
    this.#response.on('drain', drained).on('close', closed).on('error', closed);
  }
}
