import { opcodes } from './frame.ts';

/** The longest payload of a control frame that the reader keeps, in bytes. */
const maxControlBytes = 125;

/** The longest frame that a client may send, in bytes, like kube-apiserver. */
const maxFrameBytes = 32 * 1024 * 1024;

/** The longest header in bytes: opcode, length, extended length and mask. */
const maxHeaderBytes = 14;

/** Receives the frames of a client. */
export interface FrameListener {
  /** Called when a frame begins. */
  begin?(opcode: number, isFinal: boolean): void;
  /** Receives the payload of a data frame as it arrives, unmasked. Without it, the reader drops such payloads. */
  data?(part: Buffer): void;
  /**
   * Called when a frame is complete.
   *
   * @param payload the payload of a control frame; empty for other frames
   */
  frame(opcode: number, payload: Buffer): void;
  /** Called when the client violates the protocol. */
  violation(reason: 'not masked' | 'too long'): void;
}

/** Finds the frames in the bytes from a client. It changes these bytes when it unmasks them. Buffers at most a header and the payload of a control frame. */
export class FrameReader {
  readonly #listener: FrameListener;
  #header = Buffer.alloc(0);
  #opcode = 0;
  #mask: Buffer | undefined;
  /** Payload bytes still missing; undefined in a header. */
  #missing: number | undefined;
  #kept: number[] = [];
  #length = 0;
  #isOver = false;

  constructor(listener: FrameListener) {
    this.#listener = listener;
  }

  read(chunk: Buffer): void {
    let rest = chunk;
    while (!this.#isOver && (rest.length > 0 || this.#missing === 0)) {
      rest = this.#missing === undefined ? this.#readHeader(rest) : this.#readPayload(rest, this.#missing);
    }
  }

  /** @returns the bytes after the header; undefined when the header is incomplete */
  #readHeader(chunk: Buffer): Buffer {
    const before = this.#header.length;
    const header = Buffer.concat([this.#header, chunk.subarray(0, maxHeaderBytes - before)]);
    const size = headerSize(header);
    this.#header = header.length < size ? header : Buffer.alloc(0);
    if (header.length < size) return chunk.subarray(header.length - before);
    const length = payloadLength(header);
    if (((header[1] ?? 0) & 0x80) === 0) this.#fail('not masked');
    else if (length > maxFrameBytes) this.#fail('too long');
    this.#opcode = (header[0] ?? 0) & 0x0f;
    this.#mask = header.subarray(size - 4, size);
    this.#missing = this.#length = length;
    if (!this.#isOver) this.#listener.begin?.(this.#opcode, ((header[0] ?? 0) & 0x80) !== 0);
    return chunk.subarray(size - before);
  }

  #readPayload(chunk: Buffer, missing: number): Buffer {
    const payload = chunk.subarray(0, missing);
    const isControl = this.#opcode >= opcodes.close;
    const position = this.#length - missing;
    if (isControl && position < maxControlBytes) {
      for (const [index, byte] of payload.subarray(0, maxControlBytes - position).entries())
        this.#kept.push(byte ^ (this.#mask?.[(position + index) % 4] ?? 0));
    }
    if (!isControl && this.#listener.data && payload.length > 0)
      this.#listener.data(unmask(payload, position, this.#mask));
    this.#missing = missing - payload.length;
    if (this.#missing === 0) {
      this.#missing = undefined;
      this.#listener.frame(this.#opcode, Buffer.from(this.#kept.splice(0)));
    }
    return chunk.subarray(payload.length);
  }

  #fail(reason: 'not masked' | 'too long'): void {
    this.#isOver = true;
    this.#listener.violation(reason);
  }
}

/** The size of a header, as far as its first bytes tell. */
function headerSize(header: Buffer): number {
  const second = header[1];
  if (second === undefined) return 2;
  const short = second & 0x7f;
  const extended = short === 126 ? 2 : short === 127 ? 8 : 0;
  return 2 + extended + ((second & 0x80) === 0 ? 0 : 4);
}

function payloadLength(header: Buffer): number {
  const short = (header[1] ?? 0) & 0x7f;
  if (short === 126) return header.readUInt16BE(2);
  return short === 127 ? Number(header.readBigUInt64BE(2)) : short;
}

/** @param position where in the payload of the frame the bytes are */
function unmask(bytes: Buffer, position: number, mask: Buffer = Buffer.alloc(4)): Buffer {
  for (let index = 0; index < bytes.length; index += 1)
    bytes[index] = (bytes[index] ?? 0) ^ (mask[(position + index) & 3] ?? 0);
  return bytes;
}
