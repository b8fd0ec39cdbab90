import { DecodeError } from './decode-error.ts';
import { decodeBase64 } from './decode-base64.ts';
import { decodeQuantity } from './decode-quantity.ts';
import { decodeTime } from './decode-time.ts';
import type { GoScalar } from './go-type.ts';
import { type ExactInteger, isInt32, isInteger, readInteger } from '../json/exact-integer.ts';
import { JsonNumber, isNumber, literalOf, plainJson } from '../json/json-number.ts';
import { type Mismatches, jsonType } from './mismatches.ts';

/**
 * @returns the value as Go writes it; undefined when the type is wrong
 * @throws {DecodeError} when the type has its own JSON decoder, and that refuses the value
 */
export function decodeScalar(value: unknown, { kind, name }: GoScalar, mismatches: Mismatches): unknown {
  switch (kind) {
    case 'string':
      return typeof value === 'string' ? value : mismatches.add(value, name);
    case 'bool':
      return typeof value === 'boolean' ? value : mismatches.add(value, name);
    case 'int32':
    case 'int64':
      return decodeInteger(value, kind, name, mismatches);
    case 'float64':
      return decodeFloat(value, name, mismatches);
    case 'bytes':
      return decodeBytes(value, name, mismatches);
    case 'time':
    case 'microTime':
      if (typeof value !== 'string') throw mismatches.mismatch(jsonType(value), 'string');
      return decodeTime(value, kind);
    case 'quantity':
      return decodeQuantity(value);
    case 'intOrString':
      return decodeIntOrString(value, mismatches);
    case 'json':
    default:
      return decodeAny(value, mismatches);
  }
}

/** Go keeps the text; here it must be a valid number. */
function decodeAny(value: unknown, mismatches: Mismatches): unknown {
  try {
    return plainJson(value);
  } catch (error) {
    if (error instanceof SyntaxError) return mismatches.addError(new DecodeError(error.message));
    throw error;
  }
}

function decodeFloat(value: unknown, name: string, mismatches: Mismatches): number | undefined {
  if (!isNumber(value)) return mismatches.add(value, name);
  const number = Number(literalOf(value));
  if (Number.isFinite(number)) return number;
  return mismatches.addError(mismatches.mismatch(`number ${literalOf(value)}`, name));
}

function decodeInteger(
  value: unknown,
  kind: 'int32' | 'int64',
  name: string,
  mismatches: Mismatches,
): ExactInteger | undefined {
  if (!isNumber(value)) return mismatches.add(value, name);
  const integer = kind === 'int32' ? int32Of(value) : integerOf(value);
  return integer ?? mismatches.addError(mismatches.mismatch(`number ${literalOf(value)}`, name));
}

function int32Of(value: ExactInteger | JsonNumber): number | undefined {
  const integer = integerOf(value);
  return isInt32(integer) ? integer : undefined;
}

function integerOf(value: ExactInteger | JsonNumber): ExactInteger | undefined {
  if (value instanceof JsonNumber) return readInteger(value.literal);
  return isInteger(value) ? value : undefined;
}

/** Bytes are a base64 string or a list of numbers. */
function decodeBytes(value: unknown, name: string, mismatches: Mismatches): string | undefined {
  if (Array.isArray(value)) return decodeByteList(value, mismatches);
  if (typeof value !== 'string') return mismatches.add(value, name);
  try {
    return decodeBase64(value);
  } catch (error) {
    if (error instanceof DecodeError) return mismatches.addError(error);
    throw error;
  }
}

function decodeByteList(list: readonly unknown[], mismatches: Mismatches): string {
  const bytes = list.map((item) => {
    if (item === null) return 0;
    if (!isNumber(item)) return mismatches.add(item, 'uint8') ?? 0;
    const literal = literalOf(item);
    if (/^\d{1,3}$/.test(literal) && Number(literal) < 256) return Number(literal);
    return mismatches.addError(mismatches.mismatch(`number ${literal}`, 'uint8')) ?? 0;
  });
  return Buffer.from(bytes).toString('base64');
}

function decodeIntOrString(value: unknown, mismatches: Mismatches): number | string {
  if (typeof value === 'string') return value;
  if (!isNumber(value)) throw mismatches.mismatch(jsonType(value), 'int32');
  const integer = int32Of(value);
  if (integer === undefined) throw mismatches.mismatch(`number ${literalOf(value)}`, 'int32');
  return integer;
}
