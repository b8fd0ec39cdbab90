import type { ObjectMeta } from 'ots-kubernetes';
import { type JsonObject, isObject, setKey } from '../objects/json-object.ts';

/** Says in the words of Go's decoder what is wrong with a value. */
export class MetadataTypeError extends Error {
  override readonly name = 'MetadataTypeError';
}

type Shape =
  | 'string'
  | 'integer'
  | 'boolean'
  | 'time'
  | 'map'
  | 'json'
  | 'list'
  | readonly [Record<string, Shape>, string];

const ownerReference: Record<string, Shape> = {
  apiVersion: 'string',
  kind: 'string',
  name: 'string',
  uid: 'string',
  controller: 'boolean',
  blockOwnerDeletion: 'boolean',
};
const managedFieldsEntry: Record<string, Shape> = {
  manager: 'string',
  operation: 'string',
  apiVersion: 'string',
  time: 'time',
  fieldsType: 'string',
  fieldsV1: 'json',
  subresource: 'string',
};
const objectMeta: Record<string, Shape> = {
  name: 'string',
  generateName: 'string',
  namespace: 'string',
  selfLink: 'string',
  uid: 'string',
  resourceVersion: 'string',
  generation: 'integer',
  creationTimestamp: 'time',
  deletionTimestamp: 'time',
  deletionGracePeriodSeconds: 'integer',
  labels: 'map',
  annotations: 'map',
  ownerReferences: [ownerReference, 'OwnerReference'],
  finalizers: 'list',
  managedFields: [managedFieldsEntry, 'ManagedFieldsEntry'],
};
const goTypes = {
  string: 'string',
  integer: 'int64',
  boolean: 'bool',
  time: 'string',
  map: 'map[string]string',
  json: 'v1.FieldsV1',
  list: '[]string',
};
/** Owner references keep all their names, even empty ones: a server refuses those, it does not drop them. */
const keptWhenEmpty = new Set(Object.keys(ownerReference));

/**
 * Reads `metadata` as a server does: unknown fields are dropped and reported, empty ones are dropped.
 *
 * @param value what the body holds
 * @param unknown takes the paths of unknown fields, such as `metadata.foo`
 * @throws {MetadataTypeError} when a field has the wrong type
 */
export function decodeMetadata(
  value: unknown,
  { kind, custom }: { kind: string; custom: boolean },
  unknown: string[],
): ObjectMeta {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw mismatch(value, `${kind}.metadata`, 'v1.ObjectMeta');
  const metadata: ObjectMeta = decodeFields(value, objectMeta, {
    type: 'ObjectMeta',
    path: 'metadata',
    unknown,
    goPath: custom ? '' : 'metadata.',
  });
  return metadata;
}

interface Position {
  /** The Go type that holds the field. */
  type: string;
  /** What stands before the name of a field in Go's messages. */
  goPath: string;
  path: string;
  unknown: string[];
}

function decodeFields(source: JsonObject, shapes: Record<string, Shape>, position: Position): JsonObject {
  const fields: JsonObject = {};
  for (const [name, value] of Object.entries(source)) {
    const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    if (!shape) {
      position.unknown.push(`${position.path}.${name}`);
      continue;
    }
    const decoded = decodeField(value, shape, name, { ...position, path: `${position.path}.${name}` });
    if (decoded !== undefined && (keptWhenEmpty.has(name) || !isEmpty(decoded))) fields[name] = decoded;
  }
  return fields;
}

function decodeField(value: unknown, shape: Shape, name: string, position: Position): unknown {
  if (value === null) return undefined;
  const field = `${position.type}.${position.goPath}${name}`;
  if (typeof shape === 'object') return decodeEntries(value, shape, name, position);
  if (!hasShape(value, shape)) throw mismatch(value, field, goTypes[shape]);
  if (shape === 'time' && Number.isNaN(Date.parse(value as string))) {
    throw new MetadataTypeError(
      `parsing time ${JSON.stringify(JSON.stringify(value))} as "2006-01-02T15:04:05Z07:00"`,
    );
  }
  if (shape === 'map') return stringMap(value as JsonObject, field);
  if (shape === 'list') return (value as unknown[]).map((item) => stringItem(item, field));
  return value;
}

function decodeEntries(
  value: unknown,
  [shapes, type]: Extract<Shape, readonly unknown[]>,
  name: string,
  position: Position,
): unknown[] {
  const field = `${position.type}.${position.goPath}${name}`;
  if (!Array.isArray(value)) throw mismatch(value, field, `[]v1.${type}`);
  return value.map((entry, index) => {
    if (!isObject(entry)) throw mismatch(entry, field, `v1.${type}`);
    return decodeFields(entry, shapes, {
      ...position,
      type,
      goPath: `${position.goPath}${name}.`,
      path: `${position.path}[${index}]`,
    });
  });
}

function hasShape(value: unknown, shape: Exclude<Shape, readonly unknown[]>): boolean {
  switch (shape) {
    case 'integer':
      return Number.isInteger(value);
    case 'time':
      return typeof value === 'string';
    case 'map':
    case 'json':
      return isObject(value);
    case 'list':
      return Array.isArray(value);
    default:
      return typeof value === shape;
  }
}

function stringMap(value: JsonObject, field: string): JsonObject {
  const map: JsonObject = {};
  for (const [key, item] of Object.entries(value)) setKey(map, key, stringItem(item, field));
  return map;
}

/** Go reads null into a string as the empty one. */
function stringItem(item: unknown, field: string): string {
  if (item === null) return '';
  if (typeof item !== 'string') throw mismatch(item, field, 'string');
  return item;
}

function mismatch(value: unknown, field: string, goType: string): MetadataTypeError {
  return new MetadataTypeError(
    `json: cannot unmarshal ${jsonType(value)} into Go struct field ${field} of type ${goType}`,
  );
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value;
}

function isEmpty(value: unknown): boolean {
  if (value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}
