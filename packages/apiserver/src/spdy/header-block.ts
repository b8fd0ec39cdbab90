import { type Inflate, constants, createInflate } from 'node:zlib';
import { headerDictionary, headerDictionaryId } from './header-dictionary.ts';

/** The headers of a stream, by their names in lower case. */
export type StreamHeaders = ReadonlyMap<string, string>;

/** The longest header block that the server accepts, in bytes. Clients send a few short headers. */
const maxBlockBytes = 64 * 1024;

/** Reads the header blocks of a connection. They are one compressed stream, so each must be read, in order. */
export class HeaderReader {
  #inflate: Inflate | undefined;
  #parts: Buffer[] = [];
  #size = 0;

  /** @throws {Error} for a block that is not valid, or is too long: then no more blocks can be read */
  async read(compressed: Buffer): Promise<StreamHeaders> {
    const inflate = (this.#inflate ??= this.#start());
    await new Promise<void>((resolve, reject) => {
      inflate.once('error', reject);
      inflate.write(compressed, () => {
        inflate.off('error', reject);
        if (inflate.errored) reject(inflate.errored);
        else resolve();
      });
    });
    const block = Buffer.concat(this.#parts.splice(0));
    this.#size = 0;
    return parseHeaders(block);
  }

  close(): void {
    this.#inflate?.destroy();
  }

  #start(): Inflate {
    const inflate = createInflate({
      dictionary: headerDictionary,
      flush: constants.Z_SYNC_FLUSH,
      chunkSize: 4096,
    });
    inflate.on('error', () => {});
    inflate.on('data', (part: Buffer) => {
      this.#size += part.length;
      if (this.#size > maxBlockBytes) inflate.destroy(new Error('the header block is too long'));
      else this.#parts.push(part);
    });
    return inflate;
  }
}

/** @throws {RangeError} for a block that is too short */
function parseHeaders(block: Buffer): StreamHeaders {
  let at = 0;
  const number = () => block.readUInt32BE((at += 4) - 4);
  const text = () => {
    const length = number();
    if (length > block.length - at) throw new RangeError('the header block is too short');
    return block.toString('utf8', at, (at += length));
  };
  const headers = new Map<string, string>();
  for (let count = number(); count > 0; count -= 1) headers.set(text().toLowerCase(), text());
  return headers;
}

/**
 * A compressed block without headers, stored as it is: it needs no state of the compression. It ends with an empty part, at which
 * readers deliver what they have.
 */
const emptyBlock = Buffer.from([0, 4, 0, 0xfb, 0xff, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]);

/** The first block of a connection, which names the dictionary. */
const firstEmptyBlock = Buffer.concat([
  Buffer.from([0x78, 0xf9]),
  Buffer.from(headerDictionaryId.toString(16), 'hex'),
  emptyBlock,
]);

/** A header block without headers. @param isFirst whether it is the first block that the server sends */
export function emptyHeaders(isFirst: boolean): Buffer {
  return isFirst ? firstEmptyBlock : emptyBlock;
}
