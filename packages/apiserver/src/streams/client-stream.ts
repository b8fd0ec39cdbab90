import { Duplex } from 'node:stream';

/** Sends what belongs to one stream. */
export interface StreamSender {
  /** @param sent called when the client can receive more, or will never receive anything */
  send(part: Buffer, sent: () => void): void;
  /** Tells the client that nothing follows. */
  end(): void;
}

/** The longest part that a connection sends in one piece, in bytes, so other streams get their turn. */
const maxPartBytes = 256 * 1024;

/**
 * One of the streams that a client has in one connection. When the client is gone it emits `gone`, ends, and drops what is written: it
 * never fails.
 */
export class ClientStream extends Duplex {
  readonly #sender: StreamSender;
  #isGone = false;
  #hasEnded = false;
  /** Continues to read from the client. */
  #proceed: (() => void) | undefined;

  constructor(sender: StreamSender) {
    super({ highWaterMark: 64 * 1024 });
    this.#sender = sender;
  }

  /**
   * Receives bytes from the client.
   *
   * @returns resolves when the stream can receive more; undefined if it can already
   */
  receive(part: Buffer): Promise<void> | undefined {
    if (this.#hasEnded || this.destroyed || this.push(part)) return undefined;
    return new Promise((resolve) => (this.#proceed = resolve));
  }

  /** The client sends no more. */
  receiveEnd(): void {
    if (this.#hasEnded || this.destroyed) return;
    this.#hasEnded = true;
    this.push(null);
  }

  /** The client sends no more, and receives no more. */
  lose(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.receiveEnd();
    this.#continue();
    this.emit('gone');
  }

  #continue(): void {
    const proceed = this.#proceed;
    this.#proceed = undefined;
    proceed?.();
  }

  override _read(): void {
    this.#continue();
  }

  override _write(chunk: Buffer, _: BufferEncoding, written: () => void): void {
    this.#send(chunk, written);
  }

  #send(chunk: Buffer, sent: () => void): void {
    if (this.#isGone) return sent();
    const rest = chunk.subarray(maxPartBytes);
    const next = rest.length === 0 ? sent : () => this.#send(rest, sent);
    this.#sender.send(chunk.subarray(0, maxPartBytes), next);
  }

  override _final(done: () => void): void {
    if (!this.#isGone) this.#sender.end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#continue();
    done(error);
  }
}
