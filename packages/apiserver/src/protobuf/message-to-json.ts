import type { ProtobufField, ProtobufMessage, ProtobufScalar } from 'ots-kubernetes/protobuf-messages';
import { type JsonObject, isObject, setKey } from '../json/json-object.ts';
import { ProtobufError } from './wire-reader.ts';
import { ReadLimits } from './read-limits.ts';
import { type WireEntry, type WireValue, type WireValues, bytesOf, readValues } from './read-values.ts';
import { intOrStringToJson, quantityToJson, rawToJson, timeToJson } from './special-values.ts';

const nothing = Buffer.alloc(0);

/**
 * Decodes a message to the JSON that Go makes of it, without null fields.
 *
 * @param parts a message may be split into parts, which are merged
 * @param limits counters for all messages of a body
 * @throws {ProtobufError} when the bytes are not such a message
 */
export function messageToJson(
  message: ProtobufMessage,
  parts: readonly Buffer[],
  limits: ReadLimits = new ReadLimits(),
): unknown {
  return limits.within(() => valuesToJson(message, readValues(message, parts), limits));
}

function valuesToJson(
  message: ProtobufMessage,
  { values, entries }: WireValues,
  limits: ReadLimits,
): unknown {
  const valueOf = (field: ProtobufField) =>
    field.shape === 'map'
      ? mapToJson(field, entries.get(field), limits)
      : fieldToJson(field, values.get(field), limits);
  if (message.isUnion) {
    const field = message.fields.findLast((known) => values.has(known)) ?? message.fields[0]!;
    return valueOf(field) ?? (field.shape === 'list' ? [] : null);
  }
  const object: JsonObject = {};
  for (const field of message.fields) {
    const value = valueOf(field);
    if (value === undefined || value === null) continue;
    if (field.name !== '') object[field.name] = value;
    else if (isObject(value)) Object.assign(object, value);
  }
  return object;
}

/** @returns undefined where the JSON omits the field */
function fieldToJson(
  field: ProtobufField,
  values: readonly WireValue[] | undefined,
  limits: ReadLimits,
): unknown {
  const { shape, type, showsZero } = field;
  if (shape === 'list') return values?.map((value) => valueToJson(type, value, limits));
  if (!values) return shape === 'pointer' || isOmitted(field) ? undefined : zeroOf(type, limits);
  if (isMessage(type)) return messageToJson(type, bytesOf(values), limits);
  // The last one counts, but the others must be valid.
  const value = values.map((each) => valueToJson(type, each, limits)).at(-1);
  const isZero = value === '' || value === 0 || value === false;
  return isZero && isPlain(type) && shape === 'single' && !showsZero ? undefined : value;
}

/** A field that JSON omits when the wire does. Empty bytes count as absent. */
function isOmitted({ type, showsZero }: ProtobufField): boolean {
  return isPlain(type) && (!showsZero || type === 'bytes');
}

function mapToJson(
  { type }: ProtobufField,
  entries: readonly WireEntry[] | undefined,
  limits: ReadLimits,
): JsonObject | undefined {
  if (!entries) return undefined;
  const map: JsonObject = {};
  for (const { key = nothing, value } of entries)
    setKey(
      map,
      key.toString('utf8'),
      value === undefined ? zeroOf(type, limits) : valueToJson(type, value, limits),
    );
  return map;
}

function zeroOf(type: ProtobufScalar | ProtobufMessage, limits: ReadLimits): unknown {
  if (type === 'bool') return false;
  return type === 'int32' || type === 'int64' || type === 'double' ? 0 : valueToJson(type, nothing, limits);
}

function valueToJson(type: ProtobufScalar | ProtobufMessage, value: WireValue, limits: ReadLimits): unknown {
  if (!Buffer.isBuffer(value)) {
    if (!Number.isFinite(Number(value))) throw new ProtobufError(`json: unsupported value: ${value}`);
    return value;
  }
  if (isMessage(type)) return messageToJson(type, [value], limits);
  switch (type) {
    case 'bytes':
      return value.toString('base64');
    case 'time':
    case 'microTime':
      return timeToJson(value, type);
    case 'quantity':
      return quantityToJson(value);
    case 'intOrString':
      return intOrStringToJson(value);
    case 'json':
      return rawToJson(value);
    default:
      return value.toString('utf8');
  }
}

function isMessage(type: ProtobufScalar | ProtobufMessage): type is ProtobufMessage {
  return typeof type === 'object';
}

/** Whether JSON may omit the zero value: Go never omits structs. */
function isPlain(type: ProtobufScalar | ProtobufMessage): boolean {
  return (
    type === 'string' ||
    type === 'bool' ||
    type === 'int32' ||
    type === 'int64' ||
    type === 'double' ||
    type === 'bytes'
  );
}
