// The Distinguished Encoding Rules of ASN.1 (ITU-T X.690), as far as certificates need them.

/** A value with its tag and length. */
function der(tag: number, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), lengthBytes(body.length), body]);
}

export const sequence = (...content: Uint8Array[]): Buffer => der(0x30, ...content);
export const set = (...content: Uint8Array[]): Buffer => der(0x31, ...content);
export const octetString = (content: Uint8Array): Buffer => der(0x04, content);
export const utf8String = (text: string): Buffer => der(0x0c, Buffer.from(text, 'utf8'));
export const boolean = (value: boolean): Buffer => der(0x01, Buffer.from([value ? 0xff : 0]));
/** A constructed, context-specific tag. */
export const explicit = (tag: number, ...content: Uint8Array[]): Buffer => der(0xa0 | tag, ...content);
/** A primitive, context-specific tag. */
export const implicit = (tag: number, content: Uint8Array): Buffer => der(0x80 | tag, content);

/** @param unusedBits of the last byte. */
export function bitString(content: Uint8Array, unusedBits = 0): Buffer {
  return der(0x03, Buffer.from([unusedBits]), content);
}

/** An unsigned integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const minimal = bytes.subarray(start);
  // The first bit is the sign.
  return (minimal[0] ?? 0) >= 0x80 ? der(0x02, Buffer.from([0]), minimal) : der(0x02, minimal);
}

/** An object identifier in dotted notation. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** To the second. Years from 2050 on need the long form (RFC 5280, 4.1.2.5). */
export function time(date: Date): Buffer {
  const digits = `${date.toISOString().slice(0, 19).replaceAll(/[-T:]/g, '')}Z`;
  return date.getUTCFullYear() < 2050
    ? der(0x17, Buffer.from(digits.slice(2)))
    : der(0x18, Buffer.from(digits));
}

function base128(value: number): number[] {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
}

function lengthBytes(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest >>>= 8) bytes.unshift(rest & 0xff);
  return Buffer.from([0x80 | bytes.length, ...bytes]);
}

/** A value that was read. */
export interface DerValue {
  /** The value including tag and length. */
  readonly bytes: Buffer;
  readonly content: Buffer;
}

/**
 * Reads the first value.
 *
 * @throws {RangeError} when the bytes end before the value does
 */
export function readDer(bytes: Buffer): DerValue {
  const first = bytes[1];
  if (first === undefined) throw new RangeError('syntax error: data truncated');
  const digits = first < 0x80 ? 0 : first & 0x7f;
  if (digits > 4 || bytes.length < 2 + digits) throw new RangeError('syntax error: data truncated');
  const length = digits === 0 ? (first < 0x80 ? first : 0) : bytes.readUIntBE(2, digits);
  const start = 2 + digits;
  if (bytes.length < start + length) throw new RangeError('syntax error: data truncated');
  return { bytes: bytes.subarray(0, start + length), content: bytes.subarray(start, start + length) };
}
