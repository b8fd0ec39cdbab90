import type { ProtobufField, ProtobufMessage, ProtobufScalar } from 'ots-kubernetes/protobuf-messages';
import { ProtobufError, WireReader, wireTypes } from './wire-reader.ts';

/** A value in wire form; the content of bytes is decoded later. */
export type WireValue = number | bigint | boolean | Buffer;

/** An entry of a map. Missing parts have their zero value. */
export interface WireEntry {
  key?: Buffer;
  value?: WireValue;
}

/** Every occurrence of every field, in wire order. */
export interface WireValues {
  readonly values: ReadonlyMap<ProtobufField, readonly WireValue[]>;
  readonly entries: ReadonlyMap<ProtobufField, readonly WireEntry[]>;
}

/** Many messages are empty, because Go writes every struct. */
const noValues: WireValues = { values: new Map(), entries: new Map() };

/**
 * Splits the bytes of a message into fields.
 *
 * @param parts a message may be split into parts, which are merged
 * @throws {ProtobufError} when one ends too early, or a field has another wire type
 */
export function readValues(message: ProtobufMessage, parts: readonly Buffer[]): WireValues {
  if (parts.every((part) => part.length === 0)) return noValues;
  const values = new Map<ProtobufField, WireValue[]>();
  const entries = new Map<ProtobufField, WireEntry[]>();
  for (const part of parts) {
    const reader = new WireReader(part);
    while (!reader.isAtEnd) {
      const { tag, number, wireType } = reader.readTag();
      if (wireType === wireTypes.endGroup)
        throw new ProtobufError(`proto: ${message.name}: wiretype end group for non-group`);
      if (number <= 0)
        throw new ProtobufError(`proto: ${message.name}: illegal tag ${number} (wire type ${tag})`);
      const field = message.fieldOfNumber.get(number);
      if (!field) reader.skip(wireType);
      else if (field.shape === 'map') listAt(entries, field).push(readEntry(reader, field, wireType));
      else readField(reader, field, wireType, listAt(values, field));
    }
  }
  return { values, entries };
}

/** The bytes of every occurrence of a bytes field. */
export function bytesOf(values: readonly WireValue[] | undefined): Buffer[] {
  return (values ?? []).filter((value) => Buffer.isBuffer(value));
}

function listAt<T>(lists: Map<ProtobufField, T[]>, field: ProtobufField): T[] {
  let list = lists.get(field);
  if (!list) lists.set(field, (list = []));
  return list;
}

/** @param into receives the values: a list of numbers may be packed */
function readField(reader: WireReader, field: ProtobufField, wireType: number, into: WireValue[]): void {
  const { type, shape } = field;
  const expected = wireTypeOf(type);
  if (wireType === expected) into.push(readValue(reader, type));
  else if (wireType === wireTypes.bytes && shape === 'list') {
    const packed = new WireReader(reader.readBytes());
    while (!packed.isAtEnd) into.push(readValue(packed, type));
  } else throw wrongWireType(field, wireType);
}

/** Keys are strings. Go ignores the wire types inside of an entry, and so does this. */
function readEntry(reader: WireReader, field: ProtobufField, wireType: number): WireEntry {
  if (wireType !== wireTypes.bytes) throw wrongWireType(field, wireType);
  const entryReader = new WireReader(reader.readBytes());
  const entry: WireEntry = {};
  while (!entryReader.isAtEnd) {
    const tag = entryReader.readTag();
    if (tag.number === 1) entry.key = entryReader.readBytes();
    else if (tag.number === 2) entry.value = readValue(entryReader, field.type);
    else entryReader.skip(tag.wireType);
  }
  return entry;
}

function readValue(reader: WireReader, type: ProtobufScalar | ProtobufMessage): WireValue {
  switch (type) {
    case 'bool':
      return reader.readBool();
    case 'int32':
      return reader.readInt32();
    case 'int64':
      return reader.readInt64();
    case 'double':
      return reader.readDouble();
    default:
      return reader.readBytes();
  }
}

function wireTypeOf(type: ProtobufScalar | ProtobufMessage): number {
  switch (type) {
    case 'bool':
    case 'int32':
    case 'int64':
      return wireTypes.varint;
    case 'double':
      return wireTypes.fixed64;
    default:
      return wireTypes.bytes;
  }
}

function wrongWireType({ goName }: ProtobufField, wireType: number): ProtobufError {
  return new ProtobufError(`proto: wrong wireType = ${wireType} for field ${goName}`);
}
