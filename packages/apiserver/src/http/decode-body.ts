import type { ApiObject } from '../json/api-object.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';
import { nestsTooDeep, maxDepth } from '../json/depth.ts';
import { DecodeError } from '../decoding/decode-error.ts';
import { StrictErrors } from '../decoding/strict-errors.ts';
import { protobufType } from '../protobuf/protobuf-body.ts';
import { JsonNumber } from '../json/json-number.ts';
import { decodeObjectOf } from '../registry/decode-object.ts';
import { type Resource, apiVersionOf } from '../registry/resource.ts';
import { badRequest, unsupportedMediaType } from '../status/errors.ts';
import type { ApiRequest } from './api-request.ts';
import { checkTypeMeta, inSentVersion, otherType } from './check-type-meta.ts';
import { decodeExactJson, decodeJson } from '../json/decode-json.ts';
import { decodeProtobuf } from './decode-protobuf.ts';
import { readYaml, yamlReason } from './read-yaml.ts';
import { jsonType } from '../decoding/mismatches.ts';
import { jsonError, notStruct } from '../decoding/type-meta.ts';
import { cannotHandle, unrecognized } from './undecodable.ts';

/** What to do about unknown and duplicate fields. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** The media types that the server accepts for bodies, as refusals list them. */
export const acceptedTypes = ['application/json', 'application/yaml', protobufType];

/** A JSON value from a body, with its strict-decoding errors. */
interface DecodedBody {
  value: unknown;
  problems: string[];
}

/** An object from a body, with the warnings. */
export interface DecodedObject {
  object: ApiObject;
  warnings: string[];
}

/**
 * Reads the object of a create or an update.
 *
 * @throws {StatusError} 400, 413, 415 or 422 when the body does not contain an object of the resource
 */
export async function readObject(
  request: ApiRequest,
  resource: Resource,
  fieldValidation: FieldValidation,
): Promise<DecodedObject> {
  const type = request.contentType === '' ? 'application/json' : request.contentType;
  if (!acceptedTypes.includes(type)) throw unsupportedMediaType(acceptedTypes);
  // Protobuf cannot encode a custom resource. A real server then drops the connection.
  if (type === protobufType && resource.custom)
    throw unsupportedMediaType(acceptedTypes.filter((other) => other !== protobufType));
  const bytes = await request.body();
  if (type === protobufType)
    return {
      object: readFields(decodeProtobuf(bytes, resource), resource, new StrictErrors()),
      warnings: [],
    };
  const source = bytes.toString('utf8');
  const body =
    type === 'application/json'
      ? parseJson(source, resource, bytes)
      : await parseYaml(source, resource, bytes);
  return decodeObject(
    { ...body, value: toObject(body.value, resource, bytes) },
    resource,
    fieldValidation,
    source,
  );
}

/** Null is an object with no fields set. */
function toObject(value: unknown, resource: Resource, bytes: Buffer): JsonObject {
  const object = value ?? {};
  if (isObject(object) && !(object instanceof JsonNumber)) return object;
  throw unrecognized(resource, `${jsonError} ${notStruct(jsonType(value))}`, bytes);
}

/**
 * Decodes the result of a patch as an object of the resource.
 *
 * @throws {StatusError} 400 or 422
 */
export function decodePatched(
  value: unknown,
  resource: Resource,
  fieldValidation: FieldValidation,
): DecodedObject {
  if (!isObject(value)) throw badRequest(notStruct(jsonType(value)));
  const { apiVersion, kind } = value;
  if (resource.custom && (apiVersion !== apiVersionOf(resource) || kind !== resource.kind))
    throw otherType(value, resource);
  return decodeObject({ value, problems: [] }, resource, fieldValidation, '');
}

/** Most kinds may be nested as deep as any body, whose depth the parser already checked. */
export function checkNesting(value: JsonObject, resource: Resource): void {
  const { maxDepth: limit } = resource.strategy;
  if (limit < maxDepth && nestsTooDeep(value, limit))
    throw cannotHandle(resource, `exceeded max depth of ${limit}`);
}

/** Checks the type of a value, decodes its metadata, prunes it and sets defaults. Changes the value. */
function decodeObject(
  { value, problems }: DecodedBody,
  expected: Resource,
  fieldValidation: FieldValidation,
  source: string,
): DecodedObject {
  if (!isObject(value)) throw badRequest(notStruct(jsonType(value)));
  const resource = inSentVersion(expected, value['apiVersion']);
  checkTypeMeta(value, resource, source);
  checkNesting(value, resource);
  const strict = new StrictErrors();
  const object = readFields(value, resource, strict);
  if (fieldValidation === 'Ignore') return { object, warnings: [] };
  const all = [...problems, ...strict.messages];
  if (fieldValidation === 'Strict' && all.length > 0) {
    throw cannotHandle(resource, `strict decoding error: ${strictMessage(all)}`);
  }
  return { object, warnings: all };
}

async function parseYaml(source: string, resource: Resource, bytes: Buffer): Promise<DecodedBody> {
  try {
    const { value, duplicates } = await readYaml(source);
    return { value, problems: duplicates };
  } catch (error) {
    throw error instanceof Error
      ? unrecognized(resource, yamlReason(error.message, jsonError), bytes)
      : error;
  }
}

function isOfYaml(problem: string): boolean {
  return /^line \d+: /.test(problem);
}

/** Duplicate keys in YAML are one error, but several warnings. */
function strictMessage(problems: readonly string[]): string {
  const lines = problems.filter(isOfYaml).map((line) => `\n  ${line}`);
  const ofYaml = lines.length > 0 ? [`yaml: unmarshal errors:${lines.join('')}`] : [];
  return [...ofYaml, ...problems.filter((problem) => !isOfYaml(problem))].join(', ');
}

/** A typed decoder finds duplicate fields itself. */
function parseJson(source: string, resource: Resource, bytes: Buffer): DecodedBody {
  try {
    if (resource.strategy.decodesMetadata) return { value: decodeExactJson(source), problems: [] };
    const { value, duplicates } = decodeJson(source);
    return { value, problems: duplicates.map((field) => `duplicate field "${field}"`) };
  } catch (error) {
    throw error instanceof SyntaxError
      ? unrecognized(resource, `${jsonError} ${error.message}`, bytes)
      : error;
  }
}

function readFields(value: JsonObject, resource: Resource, strict: StrictErrors): ApiObject {
  try {
    return decodeObjectOf(resource, value, strict);
  } catch (error) {
    if (error instanceof DecodeError) throw cannotHandle(resource, error.message);
    throw error;
  }
}
