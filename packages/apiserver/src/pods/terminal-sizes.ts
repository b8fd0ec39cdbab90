import type { TerminalSize } from './pod-streams.ts';

/** The longest text that can become a size. A client sends `{"Width":80,"Height":24}`. */
const maxSizeText = 1024;

/** The sizes of a terminal as a client sends them, each as a JSON object. It reads ahead and keeps the newest size. */
export class TerminalSizes implements AsyncIterable<TerminalSize> {
  #latest: TerminalSize | undefined;
  #isOver = false;
  #wake = () => {};

  /** @param source undefined for a client without a terminal */
  constructor(source: AsyncIterable<Buffer> | undefined) {
    this.#isOver = !source;
    if (source) void this.#readAll(source);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<TerminalSize> {
    for (;;) {
      const size = this.#latest;
      this.#latest = undefined;
      if (size) yield size;
      else if (this.#isOver) return;
      else await new Promise<void>((resolve) => (this.#wake = resolve));
    }
  }

  /** The source is a stream of a client, which never fails. */
  async #readAll(source: AsyncIterable<Buffer>): Promise<void> {
    for await (const size of parseSizes(source)) {
      this.#latest = size;
      this.#wake();
    }
    this.#isOver = true;
    this.#wake();
  }
}

/** Ends at what is not a size. */
async function* parseSizes(source: AsyncIterable<Buffer>): AsyncGenerator<TerminalSize> {
  let text = '';
  for await (const part of source) {
    text += part.toString('latin1');
    for (let end = text.indexOf('}') + 1; end > 0; end = text.indexOf('}') + 1) {
      const size = parseSize(text.slice(0, end));
      if (!size) return;
      text = text.slice(end);
      yield size;
    }
    if (text.length > maxSizeText) return;
  }
}

function parseSize(text: string): TerminalSize | undefined {
  try {
    const { Width: width = 0, Height: height = 0 } = JSON.parse(text);
    return [width, height].every((value) => Number.isInteger(value) && value >= 0 && value < 0x10000)
      ? { width, height }
      : undefined;
  } catch {
    return undefined;
  }
}
