import type { ProtobufMessage } from 'ots-kubernetes/protobuf-messages';
import { decodeJson } from '../json/decode-json.ts';
import { ProtobufError } from './wire-reader.ts';
import { type WireValue, readValues } from './read-values.ts';
import { intOrString, quantity, rawJson, timestamp } from './well-known-messages.ts';

/** Year 1, Go's zero time. */
const zeroTime = -62_135_596_800;
/** The first second of year 0, and that of year 10000. */
const [firstSecond, endSecond] = [-62_167_219_200, 253_402_300_800];

/** @returns null for the zero time; a Time has seconds, a MicroTime microseconds */
export function timeToJson(bytes: Buffer, type: 'time' | 'microTime'): string | null {
  if (bytes.length === 0) return null;
  const [seconds = 0, nanos = 0] = lastValues(timestamp, bytes);
  const micros = type === 'time' ? 0 : Math.trunc(Number(nanos) / 1000);
  const second = Number(seconds) + Math.floor(micros / 1e6);
  if (!(second >= firstSecond && second < endSecond))
    throw new ProtobufError('the year of a time is outside of 0 to 9999');
  if (second === zeroTime && micros === 0) return null;
  const text = new Date(second * 1000).toISOString().slice(0, 19);
  if (type === 'time') return `${text}Z`;
  const fraction = micros - Math.floor(micros / 1e6) * 1e6;
  return `${text}.${String(fraction).padStart(6, '0')}Z`;
}

/** The text as the client sent it. */
export function quantityToJson(bytes: Buffer): string {
  const [text] = lastValues(quantity, bytes);
  return text === undefined ? '0' : textOf(text);
}

export function intOrStringToJson(bytes: Buffer): number | string {
  const [type = 0, number = 0, text = ''] = lastValues(intOrString, bytes);
  if (type === 0) return Number(number);
  if (type === 1) return textOf(text);
  throw new ProtobufError('impossible IntOrString.Type');
}

/** @returns null for no bytes */
export function rawToJson(bytes: Buffer): unknown {
  const [raw] = lastValues(rawJson, bytes);
  if (!Buffer.isBuffer(raw) || raw.length === 0) return null;
  try {
    return decodeJson(raw.toString('utf8')).value;
  } catch (error) {
    throw new ProtobufError(error instanceof Error ? error.message : String(error));
  }
}

/** The last value of every field of a message, which is the one that counts. */
function lastValues(message: ProtobufMessage, bytes: Buffer): (WireValue | undefined)[] {
  const { values } = readValues(message, [bytes]);
  return message.fields.map((field) => values.get(field)?.at(-1));
}

function textOf(value: WireValue | string): string {
  return value.toString();
}
