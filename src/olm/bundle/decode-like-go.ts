import {
  DecodeError,
  type GoField,
  type GoStruct,
  type GoType,
  Mismatches,
  decodeScalar,
} from 'ots-apiserver/decoding';
import { type JsonObject, isObject } from './json.ts';

/** A value of the wrong type, with the path to it. */
export class WrongTypeError extends Error {
  override readonly name = 'WrongTypeError';
  readonly path: string;

  constructor(path: string, problem: string) {
    super(`${path === '' ? 'the object' : path} ${problem}`);
    this.path = path;
  }
}

/** How {@link decodeLikeGo} reads. */
export interface DecodeOptions {
  /**
   * Whether a boolean or a number becomes a text where the type is text. The library that reads YAML into Go types does so, the one
   * that reads JSON does not.
   */
  readonly textFromScalars: boolean;
  /** Whether names of fields match only in the same case, as where Kubernetes converts objects without JSON. */
  readonly exactNames?: boolean;
}

/**
 * Decodes a value into a Go type as Go's encoding/json does: it matches names of fields without regard to case, drops unknown fields
 * and leaves out null. Source: encoding/json, and the conversion of sigs.k8s.io/yaml for a target type.
 *
 * @throws {WrongTypeError} for the first value whose type is wrong
 */
export function decodeLikeGo(value: unknown, type: GoType, options: DecodeOptions, path = ''): unknown {
  switch (type.kind) {
    case 'struct':
      if (!isObject(value)) throw wrongType(path, value, 'an object');
      return decodeStruct(value, type, options, path);
    case 'list':
      if (!Array.isArray(value)) throw wrongType(path, value, 'a list');
      return value.map((item, index) => decodeItem(item, type.items, options, `${path}[${index}]`));
    case 'map':
      if (!isObject(value)) throw wrongType(path, value, 'an object');
      return Object.fromEntries(
        Object.entries(value).map(([key, item]) => [
          key,
          decodeItem(item, type.items, options, `${path}.${key}`),
        ]),
      );
    case 'union':
      return decodeUnion(value, type.choices, options, path);
    case 'string':
      return decodeText(value, options, path);
    default:
      return decodeOther(value, type, path);
  }
}

function decodeStruct(source: JsonObject, type: GoStruct, options: DecodeOptions, path: string): JsonObject {
  const object: JsonObject = {};
  for (const [key, value] of Object.entries(source)) {
    const field = type.fields.get(key) ?? (options.exactNames ? undefined : nameLike(type, key));
    if (!field || value === null || value === undefined) continue;
    // The conversion of YAML does not see into embedded structs.
    const isEmbedded = field.goPath.includes('.');
    object[field.name] = decodeLikeGo(
      value,
      field.type,
      isEmbedded ? { ...options, textFromScalars: false } : options,
      path === '' ? field.name : `${path}.${field.name}`,
    );
  }
  return object;
}

function nameLike({ fields }: GoStruct, key: string): GoField | undefined {
  const lower = key.toLowerCase();
  for (const [name, field] of fields) if (name.toLowerCase() === lower) return field;
  return undefined;
}

/** Inside of lists and maps, null is the zero value. */
function decodeItem(item: unknown, type: GoType, options: DecodeOptions, path: string): unknown {
  if (item !== null) return decodeLikeGo(item, type, options, path);
  if (type.kind === 'struct' || type.kind === 'map') return {};
  if (type.kind === 'list') return [];
  if (type.kind === 'string') return '';
  return type.kind === 'bool' ? false : null;
}

function decodeText(value: unknown, { textFromScalars }: DecodeOptions, path: string): string {
  if (typeof value === 'string') return value;
  const isScalar = typeof value === 'boolean' || typeof value === 'number' || typeof value === 'bigint';
  if (textFromScalars && isScalar) return String(value);
  throw wrongType(path, value, 'a text');
}

function decodeUnion(
  value: unknown,
  choices: readonly GoType[],
  options: DecodeOptions,
  path: string,
): unknown {
  const choice = choices.find(({ kind }) =>
    kind === 'bool'
      ? typeof value === 'boolean'
      : kind === 'list'
        ? Array.isArray(value)
        : kind === 'struct' && isObject(value),
  );
  if (!choice) throw wrongType(path, value, 'of an accepted type');
  return decodeLikeGo(value, choice, options, path);
}

function decodeOther(
  value: unknown,
  type: Exclude<GoType, { kind: 'struct' | 'list' | 'map' | 'union' }>,
  path: string,
): unknown {
  try {
    const mismatches = new Mismatches();
    const decoded = decodeScalar(value, type, mismatches);
    mismatches.throwFirst();
    return decoded;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    throw wrongType(path, value, expected[type.kind] ?? `a value of type ${type.name}`);
  }
}

const expected: Partial<Record<GoType['kind'], string>> = {
  bool: 'true or false',
  int32: 'a whole number of 32 bits',
  int64: 'a whole number of 64 bits',
  float64: 'a number',
  bytes: 'base64',
  time: 'a time as in RFC 3339',
  microTime: 'a time as in RFC 3339',
  quantity: 'a quantity such as 100m or 64Mi',
  intOrString: 'a whole number or a text',
};

function wrongType(path: string, value: unknown, what: string): WrongTypeError {
  return new WrongTypeError(path, `is ${shown(value)}, not ${what}`);
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return 'an object';
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
