import { parse } from 'yaml';
import type { ApiObject } from '../objects/api-object.ts';
import { type JsonObject, isObject } from '../objects/json-object.ts';
import { DecodeError } from '../objects/decode-fields.ts';
import { protobufType } from '../protobuf/protobuf-body.ts';
import { decodeMetadata } from '../registry/decode-metadata.ts';
import { type Resource, apiVersionOf } from '../registry/resource.ts';
import { badRequest, unsupportedMediaType } from '../status/errors.ts';
import type { ApiRequest } from './api-request.ts';
import { checkTypeMeta, otherType } from './check-type-meta.ts';
import { decodeJson } from './decode-json.ts';
import { decodeProtobuf } from './decode-protobuf.ts';
import { cannotHandle, notAnObject, unrecognized } from './undecodable.ts';

/** What a client is told about fields that nobody knows. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** The media types of bodies that are taken, and named when one is refused. */
export const acceptedTypes = ['application/json', 'application/yaml', protobufType];

/** Puts what every object has in front of its JSON, where readers look for it. */
const typeMetaFirst = { apiVersion: '', kind: '', metadata: {} };

/** A JSON value from a body, and what is odd about it. */
interface DecodedBody {
  value: unknown;
  problems: string[];
}

/** An object from a body, and what to warn about. */
export interface DecodedObject {
  object: ApiObject;
  warnings: string[];
}

/**
 * Reads the object of a create or an update.
 *
 * @throws {StatusError} 400, 413, 415 or 422 when the body holds no object of the resource
 */
export async function readObject(
  request: ApiRequest,
  resource: Resource,
  fieldValidation: FieldValidation,
): Promise<DecodedObject> {
  const type = request.contentType === '' ? 'application/json' : request.contentType;
  if (!acceptedTypes.includes(type)) throw unsupportedMediaType(acceptedTypes);
  // No message holds a custom resource. A real server drops the connection then.
  if (type === protobufType && resource.custom)
    throw unsupportedMediaType(acceptedTypes.filter((other) => other !== protobufType));
  const bytes = await request.body();
  if (type === protobufType)
    return { object: readFields(decodeProtobuf(bytes, resource), resource, []), warnings: [] };
  const source = bytes.toString('utf8');
  let body: DecodedBody;
  try {
    body =
      type === 'application/json' ? parseJson(source) : { value: parse(source) as unknown, problems: [] };
    if (!isObject(body.value)) throw new SyntaxError(notAnObject(body.value));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw unrecognized(resource, `couldn't get version/kind; json parse error: ${error.message}`, bytes);
  }
  return decodeObject(body, resource, fieldValidation, source);
}

/**
 * Makes the result of a patch an object of the resource.
 *
 * @throws {StatusError} 400 or 422
 */
export function decodePatched(
  value: unknown,
  resource: Resource,
  fieldValidation: FieldValidation,
): DecodedObject {
  if (!isObject(value)) throw badRequest(notAnObject(value));
  const { apiVersion, kind } = value;
  if (resource.custom && (apiVersion !== apiVersionOf(resource) || kind !== resource.kind))
    throw otherType(value, resource);
  return decodeObject({ value, problems: [] }, resource, fieldValidation, '');
}

/** Checks the type of a value, reads its metadata, prunes and defaults it. Changes the value. */
function decodeObject(
  { value, problems }: DecodedBody,
  resource: Resource,
  fieldValidation: FieldValidation,
  source: string,
): DecodedObject {
  if (!isObject(value)) throw badRequest(notAnObject(value));
  checkTypeMeta(value, resource, source);
  const unknown: string[] = [];
  const object = readFields(value, resource, unknown);
  if (fieldValidation === 'Ignore') return { object, warnings: [] };
  const unknownFields = unknown.map((field) => `unknown field "${field}"`);
  const all = resource.custom ? [...problems, ...unknownFields] : [...unknownFields, ...problems];
  if (fieldValidation === 'Strict' && all.length > 0) {
    throw cannotHandle(resource, `strict decoding error: ${all.join(', ')}`);
  }
  return { object, warnings: all };
}

function parseJson(source: string): DecodedBody {
  const { value, duplicates } = decodeJson(source);
  return { value, problems: duplicates.map((field) => `duplicate field "${field}"`) };
}

/** @param unknown takes the paths of unknown fields: those of the metadata first */
function readFields(value: JsonObject, resource: Resource, unknown: string[]): ApiObject {
  const typed = { ...typeMetaFirst, ...value, apiVersion: apiVersionOf(resource), kind: resource.kind };
  try {
    const metadata = decodeMetadata(value['metadata'], resource, unknown);
    return resource.strategy.decode({ ...typed, metadata }, unknown);
  } catch (error) {
    if (error instanceof DecodeError) throw cannotHandle(resource, error.message);
    throw error;
  }
}
