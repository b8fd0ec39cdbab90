import type { Writable } from 'node:stream';

/** How many bytes may wait for a reader that does not read; more could exhaust the memory of the process. */
const capacity = 64 * 2 ** 20;

/** Streams that already have an error listener: loggers share standard error. */
const guarded = new WeakSet<Writable>();

/**
 * Writes lines to a stream such as standard error, in order and without waiting. If the reader stops reading or is gone
 * (EPIPE), the program continues: lines wait in memory, up to 64 MiB, and further lines are counted and dropped.
 */
export class LineStream {
  readonly #stream: Writable;
  #dropped = 0;

  constructor(stream: Writable) {
    this.#stream = stream;
    if (guarded.has(stream)) return;
    guarded.add(stream);
    // Without a listener, the first line after the reader has gone would end the process.
    stream.on('error', () => {});
  }

  write(line: string): void {
    const { destroyed, writableLength } = this.#stream;
    if (destroyed) return;
    if (writableLength >= capacity) {
      this.#dropped += 1;
      return;
    }
    if (this.#dropped > 0) {
      const report = { level: 'warn', time: new Date().toISOString(), lines: this.#dropped };
      this.#dropped = 0;
      this.#stream.write(
        `${JSON.stringify({ ...report, msg: 'log lines dropped: the output is blocked' })}\n`,
      );
    }
    this.#stream.write(line);
  }
}
