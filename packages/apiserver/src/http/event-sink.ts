import type { ServerResponse } from 'node:http';

/** Where the events of a watch go. */
export interface EventSink {
  /** Characters that were added and are not on their way yet. */
  readonly size: number;
  /** Whether nothing can be sent any more. */
  readonly isClosed: boolean;
  /** @param event its JSON text */
  add(event: string): void;
  /**
   * Sends what was added.
   *
   * @returns false when the client has to read before more is sent
   */
  flush(): boolean;
  /** Ends the watch. A client that has not read all for a while is cut off. */
  end(): void;
  /** @param drained the client has read; @param closed the connection is gone */
  listen(drained: () => void, closed: () => void): void;
}

/** Milliseconds in which a client that reads nothing can still read the end of its watch. */
export const patience = 30_000;

/** Characters beyond which a text is written as bytes: what waits to be sent takes up to three bytes for each character of a text. */
const shortText = 16 * 1024;

/** Events as lines of a response that goes on. */
export class LineSink implements EventSink {
  readonly #response: ServerResponse;
  #lines = '';

  /** @param response whose head is sent */
  constructor(response: ServerResponse) {
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
    this.#response.setTimeout(patience, () => this.#response.destroy());
    this.#response.end();
  }

  listen(drained: () => void, closed: () => void): void {
    this.#response.on('drain', drained).on('close', closed).on('error', closed);
  }
}
