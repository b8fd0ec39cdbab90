import type { ObjectSchema } from 'ots-kubernetes/object-schema';
import { type JsonObject, isObject, setKey } from '../objects/json-object.ts';
import { type GoKind, goKind } from './go-value.ts';

/** A value has a type that its field cannot hold. The message is Go's. */
export class RestoreError extends Error {
  override readonly name = 'RestoreError';
}

/**
 * Makes the result of a strategic merge patch an object of its kind: fields that are null or unknown are dropped.
 *
 * @param unknown takes the paths of unknown fields, in any order
 * @throws {RestoreError} when a field has the wrong type
 */
export function restoreObject(object: JsonObject, schema: ObjectSchema, unknown: string[]): JsonObject {
  const position = { above: undefined, step: '', unknown };
  return restoreFields(object, schema.properties ?? new Map<string, ObjectSchema>(), position);
}

const quantityPattern = /^[+-]?[0-9.]+[eEinumkKMGTP]*[-+]?[0-9]*$/;
const noQuantity =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

/** Where a list or map stands. Its path is made for messages only, which are rare. */
interface Position {
  above: Position | undefined;
  /** `.name` or `[0]`. */
  step: string;
  unknown: string[];
}

function restore(value: unknown, schema: ObjectSchema, above: Position, step: string | number): unknown {
  if (value === null) return zeroOf(schema);
  const kind = goKind(value);
  if (schema.intOrString && kind !== 'string' && kind !== 'int64') throw unmarshal(kind, 'int32');
  if (schema.quantity && !isQuantity(value)) throw new RestoreError(noQuantity);
  if (schema.preserveUnknownFields || schema.intOrString || schema.quantity || !schema.type) return value;
  if (schema.type === 'array' || schema.type === 'object') {
    const position = {
      above,
      step: typeof step === 'number' ? `[${step}]` : `.${step}`,
      unknown: above.unknown,
    };
    return schema.type === 'array'
      ? restoreList(value, schema.items ?? {}, position)
      : restoreMap(value, schema, position);
  }
  checkScalar(value, schema);
  return value;
}

function isQuantity(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && quantityPattern.test(value));
}

function restoreList(value: unknown, items: ObjectSchema, position: Position): unknown {
  if (!Array.isArray(value)) throw new RestoreError(`cannot restore slice from ${goKind(value)}`);
  return value.map((item, index) => restore(item, items, position, index));
}

function restoreMap(
  value: unknown,
  { properties, additionalProperties }: ObjectSchema,
  position: Position,
): unknown {
  if (!isObject(value)) {
    const target = properties ? 'struct from:' : 'map from';
    throw new RestoreError(`cannot restore ${target} ${goKind(value)}`);
  }
  if (properties) return restoreFields(value, properties, position);
  if (!additionalProperties) return value;
  const result: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    setKey(result, key, restore(item, additionalProperties, position, key));
  }
  return result;
}

function restoreFields(
  value: JsonObject,
  properties: ReadonlyMap<string, ObjectSchema>,
  position: Position,
): JsonObject {
  const result: JsonObject = {};
  for (const [key, field] of Object.entries(value)) {
    const schema = properties.get(key);
    if (!schema) position.unknown.push(pathOf(position, key));
    else if (field !== null && !isEmpty(field, schema)) result[key] = restore(field, schema, position, key);
  }
  return result;
}

/** What is stored cannot tell an empty list or map from none. Structs are told apart. */
function isEmpty(value: unknown, { type, properties, preserveUnknownFields }: ObjectSchema): boolean {
  if (type === 'array') return Array.isArray(value) && value.length === 0;
  if (type !== 'object' || properties || preserveUnknownFields) return false;
  return isObject(value) && Object.keys(value).length === 0;
}

function pathOf(position: Position, key: string): string {
  let path = `.${key}`;
  for (let at: Position | undefined = position; at; at = at.above) path = `${at.step}${path}`;
  return path.slice(1);
}

/** Go reads null inside of lists and maps as the empty value of their type. */
function zeroOf({ type, properties, intOrString, quantity }: ObjectSchema): unknown {
  if (intOrString) return 0;
  if (quantity) return '0';
  if (type === 'string') return '';
  if (type === 'integer' || type === 'number') return 0;
  if (type === 'boolean') return false;
  return properties ? {} : null;
}

const goScalars = { string: 'string', boolean: 'bool', number: 'float64' };
const kindsOfType: Readonly<Record<string, readonly GoKind[]>> = {
  string: ['string'],
  boolean: ['bool'],
  number: ['int64', 'float64'],
  integer: ['int64'],
};

function checkScalar(value: unknown, { type, format }: ObjectSchema): void {
  const kind = goKind(value);
  if (kind === 'string' && format === 'date-time' && Number.isNaN(Date.parse(String(value)))) {
    throw new RestoreError(`parsing time ${JSON.stringify(value)} as "2006-01-02T15:04:05Z07:00"`);
  }
  if (type === undefined || type === 'array' || type === 'object' || kindsOfType[type]?.includes(kind))
    return;
  if (format === 'date-time' || format === 'micro-time') throw unmarshal(kind, 'string');
  if (format === 'byte') throw new RestoreError(`cannot restore slice from ${kind}`);
  const target = type === 'integer' ? (format ?? 'int64') : goScalars[type];
  // Go converts whole numbers to strings, too, but these functions do not want it.
  const isConvertible = (type === 'string' && kind === 'int64') || (type === 'integer' && kind === 'float64');
  throw new RestoreError(
    isConvertible ? `cannot convert ${kind} to ${target}` : `unrecognized type: ${target}`,
  );
}

function unmarshal(kind: GoKind, target: string): RestoreError {
  const names: Partial<Record<GoKind, string>> = {
    map: 'object',
    slice: 'array',
    int64: 'number',
    float64: 'number',
  };
  return new RestoreError(`json: cannot unmarshal ${names[kind] ?? kind} into Go value of type ${target}`);
}
