/** The types of control frames (SPDY/3, section 2.6). */
export const frameTypes = {
  synStream: 1,
  synReply: 2,
  rstStream: 3,
  settings: 4,
  ping: 6,
  goAway: 7,
  headers: 8,
  windowUpdate: 9,
} as const;

/** The flag of the last frame that one side sends in a stream. */
export const finFlag = 1;

/** The longest control frame that a client may send, in bytes. Real ones have a hundred. */
const maxControlBytes = 64 * 1024;
const headerBytes = 8;

/** Receives the frames of a client. */
export interface SpdyFrameListener {
  /** @throws {Error} for a frame that violates the protocol */
  control(type: number, flags: number, payload: Buffer): Promise<void> | void;
  /**
   * Receives the payload of a data frame as it arrives.
   *
   * @param isLast whether the client sends no more in this stream
   * @returns resolves when the listener can receive more
   */
  data(stream: number, part: Buffer, isLast: boolean): Promise<void> | undefined;
}

/** Finds the SPDY frames in the bytes from a client. Buffers at most one control frame. */
export class SpdyFrameReader {
  readonly #listener: SpdyFrameListener;
  /** The beginning of the current header or control frame. */
  #kept = Buffer.alloc(0);
  /** The current data frame. */
  #data: { stream: number; isLast: boolean; missing: number } | undefined;

  constructor(listener: SpdyFrameListener) {
    this.#listener = listener;
  }

  /**
   * @returns resolves when the listener has received everything
   * @throws {Error} for bytes that violate the protocol
   */
  async read(chunk: Buffer): Promise<void> {
    let rest = chunk;
    while (rest.length > 0)
      rest = this.#data ? await this.#readData(rest, this.#data) : await this.#readFrame(rest);
  }

  /** @returns the bytes after those that were read */
  async #readFrame(chunk: Buffer): Promise<Buffer> {
    const before = this.#kept.length;
    const needed = before < headerBytes ? headerBytes : headerBytes + controlLength(this.#kept);
    const frame = Buffer.concat([this.#kept, chunk.subarray(0, needed - before)]);
    this.#kept = frame;
    const rest = chunk.subarray(needed - before);
    if (frame.length < headerBytes) return rest;
    if (isData(frame)) {
      this.#kept = Buffer.alloc(0);
      this.#data = {
        stream: frame.readUInt32BE(0),
        isLast: flagsOf(frame) === finFlag,
        missing: lengthOf(frame),
      };
      return this.#data.missing === 0 ? this.#readData(rest, this.#data) : rest;
    }
    const length = controlLength(frame);
    if (frame.length < headerBytes + length) return rest;
    this.#kept = Buffer.alloc(0);
    await this.#listener.control(frame.readUInt16BE(2), flagsOf(frame), frame.subarray(headerBytes));
    return rest;
  }

  async #readData(
    chunk: Buffer,
    data: { stream: number; isLast: boolean; missing: number },
  ): Promise<Buffer> {
    const part = chunk.subarray(0, data.missing);
    data.missing -= part.length;
    const isComplete = data.missing === 0;
    if (isComplete) this.#data = undefined;
    await this.#listener.data(data.stream, part, data.isLast && isComplete);
    return chunk.subarray(part.length);
  }
}

function isData(header: Buffer): boolean {
  return (header.readUInt8(0) & 0x80) === 0;
}

function flagsOf(header: Buffer): number {
  return header.readUInt8(4);
}

function lengthOf(header: Buffer): number {
  return header.readUIntBE(5, 3);
}

/** @throws {Error} for a frame that is too long, or of another version */
function controlLength(header: Buffer): number {
  const length = lengthOf(header);
  if (length > maxControlBytes) throw new Error('the frame is too long');
  if (header.readUInt16BE(0) !== 0x8003) throw new Error('the frame has another version');
  return length;
}

/** A control frame. */
export function controlFrame(type: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16BE(0x8003, 0);
  header.writeUInt16BE(type, 2);
  header.writeUInt32BE(payload.length, 4);
  return Buffer.concat([header, payload]);
}

/** The header of a data frame. */
export function dataHeader(stream: number, length: number, flags = 0): Buffer {
  const header = Buffer.alloc(headerBytes);
  header.writeUInt32BE(stream, 0);
  header.writeUInt32BE(length, 4);
  header.writeUInt8(flags, 4);
  return header;
}
