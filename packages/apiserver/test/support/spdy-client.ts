import { type Deflate, constants, createDeflate } from 'node:zlib';
import { controlFrame, frameTypes } from '../../src/spdy/frame-reader.ts';
import { headerDictionary } from '../../src/spdy/header-dictionary.ts';

/** A number of 4 bytes. */
export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** A header block before its compression. */
export function headerBlock(headers: Readonly<Record<string, string>>): Buffer {
  const texts = Object.entries(headers).flat();
  return Buffer.concat([
    uint32(texts.length / 2),
    ...texts.flatMap((text) => [uint32(text.length), Buffer.from(text)]),
  ]);
}

/** Compresses the header blocks of a client, which are one compressed stream. */
export class HeaderWriter {
  readonly #deflate: Deflate = createDeflate({
    dictionary: headerDictionary,
    flush: constants.Z_SYNC_FLUSH,
  });

  async write(block: Buffer): Promise<Buffer> {
    const parts: Buffer[] = [];
    this.#deflate.on('data', (part: Buffer) => parts.push(part));
    await new Promise<void>((resolve) => this.#deflate.write(block, () => resolve()));
    this.#deflate.removeAllListeners('data');
    return Buffer.concat(parts);
  }

  /** The frame that creates a stream. */
  async createStream(id: number, headers: Readonly<Record<string, string>>): Promise<Buffer> {
    const block = await this.write(headerBlock(headers));
    return controlFrame(frameTypes.synStream, Buffer.concat([uint32(id), uint32(0), Buffer.alloc(2), block]));
  }
}
