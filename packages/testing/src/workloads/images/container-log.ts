import type { LogOptions } from 'ots-apiserver';

/** As the kubelet's `containerLogMaxSize`. */
const maxBytes = 10 * 1024 * 1024;

interface LogLine {
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly text: string;
}

/** What a container has written from its start to its end. The oldest lines of a long log are lost. */
export class ContainerLog {
  readonly #lines: LogLine[] = [];
  #bytes = 0;
  /** How many lines were lost. */
  #lost = 0;
  #hasEnded = false;
  /** Those who wait for the next line, or the end. */
  readonly #waiting = new Set<() => void>();

  /** Adds a text: a line for each line break in it. @param time in milliseconds since 1970 */
  add(text: string, time: number): void {
    for (const line of text.replace(/\n$/, '').split('\n')) {
      this.#lines.push({ time, text: line });
      this.#bytes += line.length;
    }
    while (this.#bytes > maxBytes && this.#lines.length > 1) {
      this.#bytes -= this.#lines.shift()!.text.length;
      this.#lost += 1;
    }
    this.#notify();
  }

  /** The container has ended: nothing follows. */
  end(): void {
    this.#hasEnded = true;
    this.#notify();
  }

  /** The bytes that a client asks for. */
  async *read(options: LogOptions): AsyncGenerator<Buffer> {
    const { follow, since = -Infinity, tailLines, signal } = options;
    let left = options.limitBytes ?? Infinity;
    const first = this.#lines.findIndex(({ time }) => time >= since);
    const selected = first === -1 ? 0 : this.#lines.length - first;
    let next = this.#lost + this.#lines.length - Math.min(selected, tailLines ?? Infinity);
    for (;;) {
      const added = this.#lines.slice(Math.max(0, next - this.#lost));
      next = this.#lost + this.#lines.length;
      const bytes = Buffer.from(added.map((line) => textOf(line, options)).join(''));
      if (bytes.length > 0) yield bytes.subarray(0, left);
      left -= bytes.length;
      if (left <= 0 || !follow || this.#hasEnded || signal.aborted) return;
      if (next === this.#lost + this.#lines.length) await this.#more(signal);
    }
  }

  #more(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }

  #notify(): void {
    for (const wake of this.#waiting) wake();
  }
}

function textOf({ time, text }: LogLine, { timestamps }: LogOptions): string {
  return timestamps ? `${new Date(time).toISOString().slice(0, -1)}000000Z ${text}\n` : `${text}\n`;
}
