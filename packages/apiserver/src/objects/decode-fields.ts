import { type JsonObject, isObject, setKey } from './json-object.ts';

/** A field of a body has the wrong type. The message is Go's. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';
}

/** The fields of an object whose fields are known, and the name of its Go type. */
export interface Struct {
  type: string;
  /** A function, so that a struct can hold itself. */
  fields: () => Record<string, Shape>;
}

/** What a value has to look like. */
export type Shape =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'time'
  | 'any'
  | 'object'
  | { list: Shape }
  | { map: Shape }
  /** A struct, or something else: `true`, or a list. */
  | { either: Shape; or: Shape }
  | Struct;

/** Where a value stands. */
export interface Position {
  /** As clients know it: `metadata.ownerReferences[0]`. */
  path: string;
  /** As Go's messages have it: `ObjectMeta.metadata.ownerReferences`. */
  goField: string;
  /** Takes the paths of unknown fields. */
  unknown: string[];
}

/**
 * Reads an object field by field. Unknown fields are dropped and reported; null counts as absent.
 *
 * @param goPath what stands before the names of fields in Go's messages, with a dot at its end unless empty
 * @throws {DecodeError} when a field has the wrong type
 */
export function decodeFields(
  source: JsonObject,
  struct: Struct,
  position: Position,
  goPath: string,
): JsonObject {
  const shapes = struct.fields();
  const fields: JsonObject = {};
  for (const [name, value] of Object.entries(source)) {
    const path = position.path === '' ? name : `${position.path}.${name}`;
    const shape = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
    if (shape === undefined) {
      position.unknown.push(path);
    } else if (value !== null) {
      const inner = `${goPath}${name}`;
      fields[name] = decodeValue(
        value,
        shape,
        { ...position, path, goField: `${struct.type}.${inner}` },
        `${inner}.`,
      );
    }
  }
  return fields;
}

function decodeValue(value: unknown, shape: Shape, position: Position, goPath: string): unknown {
  if (typeof shape === 'string') return decodeScalar(value, shape, position);
  if ('either' in shape)
    return decodeValue(value, hasShape(value, shape.or) ? shape.or : shape.either, position, goPath);
  if ('list' in shape) {
    if (!Array.isArray(value)) throw mismatch(value, position, goType(shape));
    return value.map((item, index) =>
      decodeItem(item, shape.list, { ...position, path: `${position.path}[${index}]` }, goPath),
    );
  }
  if (!isObject(value)) throw mismatch(value, position, goType(shape));
  if ('fields' in shape) return decodeFields(value, shape, position, goPath);
  const map: JsonObject = {};
  for (const [key, item] of Object.entries(value)) {
    setKey(map, key, decodeItem(item, shape.map, { ...position, path: `${position.path}.${key}` }, goPath));
  }
  return map;
}

/** Inside of lists and maps Go reads null as the empty value. */
function decodeItem(item: unknown, shape: Shape, position: Position, goPath: string): unknown {
  if (item !== null) return decodeValue(item, shape, position, goPath);
  if (shape === 'any') return null;
  return shape === 'string' ? '' : {};
}

function decodeScalar(value: unknown, shape: Extract<Shape, string>, position: Position): unknown {
  if (!hasShape(value, shape)) throw mismatch(value, position, goType(shape));
  if (shape === 'time' && Number.isNaN(Date.parse(String(value)))) {
    throw new DecodeError(
      `parsing time ${JSON.stringify(JSON.stringify(value))} as "2006-01-02T15:04:05Z07:00"`,
    );
  }
  return value;
}

function hasShape(value: unknown, shape: Shape): boolean {
  if (typeof shape !== 'string') return 'list' in shape ? Array.isArray(value) : isObject(value);
  switch (shape) {
    case 'any':
      return true;
    case 'object':
      return isObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'time':
      return typeof value === 'string';
    default:
      return typeof value === shape;
  }
}

const goScalars = {
  string: 'string',
  integer: 'int64',
  number: 'float64',
  boolean: 'bool',
  time: 'string',
  any: 'interface {}',
  object: 'v1.FieldsV1',
};

function goType(shape: Shape): string {
  if (typeof shape === 'string') return goScalars[shape];
  if ('list' in shape) return `[]${goType(shape.list)}`;
  if ('map' in shape) return `map[string]${goType(shape.map)}`;
  return 'fields' in shape ? `v1.${shape.type}` : goType(shape.either);
}

function mismatch(value: unknown, { goField }: Position, type: string): DecodeError {
  return new DecodeError(
    `json: cannot unmarshal ${jsonType(value)} into Go struct field ${goField} of type ${type}`,
  );
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
