/** Writes fields of messages in the wire format of protobuf. */

/** A field with a string, or with a message. */
export function lengthDelimited(number: number, content: string | Buffer): Buffer {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  return Buffer.concat([key(number, 2), varint(BigInt(bytes.length)), bytes]);
}

/** A field with an integer or a boolean. */
export function varintField(number: number, value: number | boolean): Buffer {
  return Buffer.concat([key(number, 0), varint(BigInt.asUintN(64, BigInt(value)))]);
}

/** A field with a floating-point number. */
export function doubleField(number: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return Buffer.concat([key(number, 1), bytes]);
}

function key(number: number, wireType: number): Buffer {
  return varint(BigInt(number * 8 + wireType));
}

function varint(value: bigint): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}
