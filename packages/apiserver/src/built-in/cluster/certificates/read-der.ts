/** An ASN.1 value in DER (X.690). */
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
