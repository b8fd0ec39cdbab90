/** Writes the wire format of protobuf as far as tests need it, including invalid messages. */
export function varint(value: number | bigint): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(rest)]);
}

/** The tag of a field. */
export function tag(number: number, wireType: number): Buffer {
  return varint(number * 8 + wireType);
}

/** A field that contains text, bytes, or a message of fields. */
export function field(number: number, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const content = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  return Buffer.concat([tag(number, 2), varint(content.length), content]);
}

/** A field that contains a number. */
export function integer(number: number, value: number | bigint): Buffer {
  return Buffer.concat([tag(number, 0), varint(value)]);
}

/** An entry of a map of strings. */
export function entry(number: number, key: string, value: string | Uint8Array): Buffer {
  return field(number, field(1, key), field(2, value));
}

/** The metadata of an object, which is its first field in every kind. */
export function metadata(name: string, ...more: readonly Buffer[]): Buffer {
  return field(1, field(1, name), ...more);
}

/** A body that contains an object. */
export function body(apiVersion: string, kind: string, ...fields: readonly Buffer[]): Buffer {
  return Buffer.concat([
    Buffer.from('k8s\0'),
    field(1, field(1, apiVersion), field(2, kind)),
    field(2, ...fields),
  ]);
}
