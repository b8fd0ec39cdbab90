import { parseLenientDuration } from 'ots-apimachinery/duration';
import { GoTimeError, GoTimeReader } from 'ots-apimachinery/go/go-time-reader';
import type { CelResult } from './cel-value.ts';
import { decodeBase64 } from './decode-base64.ts';
import { CelEvaluationError } from './evaluation-error.ts';
import { JsonList } from './json-list.ts';
import { JsonMap } from './json-map.ts';
import { JsonMapList } from './json-map-list.ts';
import { JsonObject } from './json-object.ts';
import { withObjectMeta } from './with-object-meta.ts';
import { Duration } from './duration.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import { JsonSetList } from './json-set-list.ts';
import { maxInt, minInt } from './numbers.ts';
import { parseDate, parseTimestamp } from './parse-timestamp.ts';
import { PreservedValue } from './preserved-value.ts';
import { Timestamp } from './timestamp.ts';

/**
 * A JSON value as a rule sees it. The content of an object or a list is converted on demand.
 *
 * @param schema the structural schema of the value
 * @returns an error when the value does not have the schema's type
 */
export function fromJson(json: unknown, schema: StructuralSchema): CelResult {
  if (json === null || json === undefined)
    return schema.nullable ? null : invalid('got null for schema with nullable=false');
  if (schema['x-kubernetes-int-or-string']) {
    return typeof json === 'string'
      ? json
      : (toInt(json) ?? invalid('expected XIntOrString value to be either a string or integer'));
  }
  switch (schema.type) {
    case 'object':
      return objectFromJson(json, schema);
    case 'array':
      return listFromJson(json, schema);
    case 'string':
      return typeof json === 'string' ? textFromJson(json, schema.format) : invalid('expected string');
    case 'number':
      return typeof json === 'number' || typeof json === 'bigint' ? Number(json) : invalid('expected float');
    case 'integer':
      return toInt(json) ?? invalid('expected int');
    case 'boolean':
      return typeof json === 'boolean' ? json : invalid('expected bool');
    default:
      return schema['x-kubernetes-preserve-unknown-fields']
        ? new PreservedValue(json)
        : new CelEvaluationError('invalid type, the schema has none');
  }
}

function invalid(message: string): CelEvaluationError {
  return new CelEvaluationError(`invalid data, ${message}`);
}

function toInt(json: unknown): bigint | undefined {
  if (typeof json !== 'bigint' && !(typeof json === 'number' && Number.isInteger(json))) return undefined;
  const value = BigInt(json);
  return value >= minInt && value <= maxInt ? value : undefined;
}

function objectFromJson(json: unknown, schema: StructuralSchema): CelResult {
  if (typeof json !== 'object' || Array.isArray(json))
    return invalid('expected a map for the provided schema with type=object');
  const object = json as Readonly<Record<string, unknown>>;
  const { additionalProperties } = schema;
  const whole = schema['x-kubernetes-embedded-resource'] ? withObjectMeta(schema) : schema;
  if (whole.properties) return new JsonObject(object, whole.properties, fromJson);
  return new JsonMap(
    object,
    typeof additionalProperties === 'object' ? additionalProperties : undefined,
    fromJson,
  );
}

function listFromJson(json: unknown, schema: StructuralSchema): CelResult {
  const { items } = schema;
  if (!Array.isArray(json)) return invalid('expected an array for the provided schema with type=array');
  if (!items) return new CelEvaluationError('invalid array type, expected Items with a non-empty Schema');
  switch (schema['x-kubernetes-list-type'] ?? 'atomic') {
    case 'map':
      return new JsonMapList(json, items, fromJson, schema['x-kubernetes-list-map-keys'] ?? []);
    case 'set':
      return new JsonSetList(json, items, fromJson);
    default:
      return new JsonList(json, items, fromJson);
  }
}

function textFromJson(text: string, format: string | undefined): CelResult {
  switch (format) {
    case 'duration':
      return durationOf(text);
    case 'date':
      return parseDate(text) ?? noTime('date', text);
    case 'date-time':
      if (text === '') return new Timestamp(0n);
      return parseTimestamp(text, 'optional') ?? noTime('date-time', text);
    case 'byte':
      return bytesFromJson(text);
    default:
      return text;
  }
}

/** Go's error about the last layout that it tries. */
function noTime(format: 'date' | 'date-time', text: string): CelEvaluationError {
  const reader = new GoTimeReader(text, format === 'date' ? '2006-01-02' : '2006-01-02T15:04:05');
  let detail = '';
  try {
    const day = reader.readDate();
    if (format === 'date-time') {
      reader.readClock();
      reader.skipFraction();
    }
    reader.end();
    reader.dayOf(day);
  } catch (error) {
    if (!(error instanceof GoTimeError)) throw error;
    detail = `: ${error.message}`;
  }
  return new CelEvaluationError(`Invalid ${format} formatted string ${text}${detail}`);
}

function bytesFromJson(text: string): CelResult {
  const bytes = decodeBase64(text);
  if (typeof bytes !== 'number') return bytes;
  const detail = `illegal base64 data at input byte ${bytes}`;
  return new CelEvaluationError(`Invalid byte formatted string ${text}: ${detail}`);
}

function durationOf(text: string): Duration | CelEvaluationError {
  const nanoseconds = parseLenientDuration(text);
  return nanoseconds === undefined
    ? new CelEvaluationError(`Invalid duration ${text}: unable to parse ${text} as duration`)
    : new Duration(nanoseconds);
}
