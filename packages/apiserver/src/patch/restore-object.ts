import { DecodeError } from '../decoding/decode-error.ts';
import { decodeValue } from '../decoding/decode-typed.ts';
import type { GoScalar, GoStruct, GoType } from '../decoding/go-type.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';
import { type GoKind, goKind } from './go-value.ts';

/** A field has a value of the wrong type. The message is Go's. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError';
}

/**
 * Checks that the result of a strategic merge patch is an object of its kind. Go converts it without JSON in
 * between and has separate messages for that.
 *
 * @throws {RestoreError} when a field has the wrong type
 */
export function checkRestorable(object: JsonObject, { fields }: GoStruct): void {
  for (const name of Object.keys(object)) {
    const field = fields.get(name);
    if (field) check(object[name], field.type);
  }
}

function check(value: unknown, type: GoType): void {
  if (value === null || value === undefined) return;
  switch (type.kind) {
    case 'struct':
      if (!isObject(value)) throw new RestoreError(`cannot restore struct from: ${goKind(value)}`);
      checkRestorable(value, type);
      return;
    case 'list':
      if (!Array.isArray(value)) throw new RestoreError(`cannot restore slice from ${goKind(value)}`);
      for (const item of value) check(item, type.items);
      return;
    case 'map':
      if (!isObject(value)) throw new RestoreError(`cannot restore map from ${goKind(value)}`);
      for (const item of Object.values(value)) check(item, type.items);
      return;
    case 'string':
    case 'bool':
    case 'int32':
    case 'int64':
    case 'float64':
      checkPlain(goKind(value), type);
      return;
    case 'bytes':
      checkBytes(value, type);
      return;
    default:
      checkDecodable(value, type);
  }
}

/** Integral floats count as integers. */
function checkPlain(found: GoKind, { kind, name }: GoScalar): void {
  const isNumber = found === 'int64' || found === 'float64';
  if (found === kind || (kind === 'int32' && found === 'int64') || (kind === 'float64' && isNumber)) return;
  // Go also converts integers to strings, but these functions reject that.
  const isConvertible = (kind === 'string' && found === 'int64') || (kind.startsWith('int') && isNumber);
  throw new RestoreError(isConvertible ? `cannot convert ${found} to ${name}` : `unrecognized type: ${kind}`);
}

function checkBytes(value: unknown, type: GoType): void {
  if (Array.isArray(value)) return;
  if (typeof value !== 'string') throw new RestoreError(`cannot restore slice from ${goKind(value)}`);
  checkDecodable(value, type, 'error decoding from json: ');
}

function checkDecodable(value: unknown, type: GoType, prefix = ''): void {
  try {
    decodeValue(value, type);
  } catch (error) {
    throw error instanceof DecodeError ? new RestoreError(`${prefix}${error.message}`) : error;
  }
}
