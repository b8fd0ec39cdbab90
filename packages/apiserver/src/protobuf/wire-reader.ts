import { type ExactInteger, exactInteger } from '../json/exact-integer.ts';

/** The wire types of fields. */
export const wireTypes = { varint: 0, fixed64: 1, bytes: 2, startGroup: 3, endGroup: 4, fixed32: 5 } as const;

const two32 = 2 ** 32;

/** Reads protobuf's wire format from the bytes of one message. Every method throws a ProtobufError past their end. */
export class WireReader {
  readonly #bytes: Buffer;
  #position = 0;
  // The halves of the last varint: a number alone would lose bits.
  #low = 0;
  #high = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#bytes.length;
  }

  /** Reads the tag of a field: its number, of which only 32 bits count, and its wire type. */
  readTag(): { tag: number; number: number; wireType: number } {
    this.#readVarint();
    const [low, high] = [this.#low, this.#high];
    return { tag: high * two32 + low, number: (high << 29) | (low >>> 3), wireType: low & 7 };
  }

  readBool(): boolean {
    this.#readVarint();
    return this.#low !== 0 || this.#high !== 0;
  }

  /** Reads 32 bits; drops higher ones. */
  readInt32(): number {
    this.#readVarint();
    return this.#low | 0;
  }

  readInt64(): ExactInteger {
    this.#readVarint();
    const high = this.#high | 0;
    const rounded = high * two32 + this.#low;
    if (Number.isSafeInteger(rounded)) return rounded;
    return exactInteger((BigInt(high) << 32n) + BigInt(this.#low));
  }

  readDouble(): number {
    const start = this.#position;
    this.#advance(8);
    return this.#bytes.readDoubleLE(start);
  }

  /** Reads a length and that many bytes, without copying them. */
  readBytes(): Buffer {
    this.#readVarint();
    if (this.#high >= two32 / 2) throw new ProtobufError('proto: negative length found during unmarshaling');
    const start = this.#position;
    this.#advance(this.#high * two32 + this.#low);
    return this.#bytes.subarray(start, this.#position);
  }

  /** Skips the value of an unknown field, including the content of a group. */
  skip(wireType: number): void {
    let depth = 0;
    let type = wireType;
    for (;;) {
      depth += this.#skipValue(type);
      if (depth === 0) return;
      if (depth < 0) throw new ProtobufError('proto: unexpected end of group');
      type = this.readTag().wireType;
    }
  }

  /** @returns the change of the group depth */
  #skipValue(wireType: number): number {
    switch (wireType) {
      case wireTypes.varint:
        this.#readVarint();
        return 0;
      case wireTypes.fixed64:
        this.#advance(8);
        return 0;
      case wireTypes.bytes:
        this.readBytes();
        return 0;
      case wireTypes.startGroup:
        return 1;
      case wireTypes.endGroup:
        return -1;
      case wireTypes.fixed32:
        this.#advance(4);
        return 0;
      default:
        throw new ProtobufError(`proto: illegal wireType ${wireType}`);
    }
  }

  #readVarint(): void {
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (shift >= 64) throw new ProtobufError('proto: integer overflow');
      const byte = this.#bytes[this.#position];
      if (byte === undefined) throw new ProtobufError('unexpected EOF');
      this.#position += 1;
      const bits = byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80) break;
    }
    this.#low = low >>> 0;
    this.#high = high >>> 0;
  }

  #advance(length: number): void {
    if (length > this.#bytes.length - this.#position) throw new ProtobufError('unexpected EOF');
    this.#position += length;
  }
}

/** The bytes are not a valid protobuf message. The message is that of Go's generated code. */
export class ProtobufError extends Error {}
