import { parse } from 'yaml';
import type { ApiObject } from '../objects/api-object.ts';
import { type JsonObject, isObject } from '../objects/json-object.ts';
import { DecodeError } from '../objects/decode-fields.ts';
import { decodeMetadata } from '../registry/decode-metadata.ts';
import { type Resource, apiVersionOf, kindName } from '../registry/resource.ts';
import { badRequest, invalidObject, unsupportedMediaType } from '../status/errors.ts';
import { invalid } from '../status/field-error.ts';
import type { ApiRequest } from './api-request.ts';
import { decodeJson } from './decode-json.ts';

/** What a client is told about fields that nobody knows. */
export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** The media types of bodies that a real server takes and names when it refuses one. */
const acceptedTypes = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

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
 * Reads the object of a create or an update. Protobuf is not understood: clients have to send JSON or YAML.
 *
 * @throws {StatusError} 400, 413, 415 or 422 when the body holds no object of the resource
 */
export async function readObject(
  request: ApiRequest,
  resource: Resource,
  fieldValidation: FieldValidation,
): Promise<DecodedObject> {
  const type = request.contentType === '' ? 'application/json' : request.contentType;
  if (type !== 'application/json' && type !== 'application/yaml') throw unsupportedMediaType(acceptedTypes);
  const source = (await request.body()).toString('utf8');
  let body: DecodedBody;
  try {
    body =
      type === 'application/json' ? parseJson(source) : { value: parse(source) as unknown, problems: [] };
    if (!isObject(body.value)) throw new SyntaxError(notAnObject(body.value));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): couldn't get version/kind; json parse error: ${error.message} (${excerpt(source)})`,
    );
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

/** Built-in kinds need no type information; what is there has to be right. */
function checkTypeMeta(value: JsonObject, resource: Resource, source: string): void {
  const { apiVersion = '', kind = '' } = value;
  const expected = apiVersionOf(resource);
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): apiVersion and kind must be strings`,
    );
  }
  if (resource.custom) checkCustomTypeMeta(apiVersion, kind, { value, resource, source });
  else if ((apiVersion !== '' && apiVersion !== expected) || (kind !== '' && kind !== resource.kind)) {
    const version = apiVersion.slice(apiVersion.lastIndexOf('/') + 1) || resource.version;
    throw badRequest(
      `${kind || resource.kind} in version "${version}" cannot be handled as a ${resource.kind}: no kind "${kind || resource.kind}" is registered for version "${apiVersion || expected}" in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
}

function checkCustomTypeMeta(
  apiVersion: string,
  kind: string,
  { value, resource, source }: { value: JsonObject; resource: Resource; source: string },
): void {
  if (kind === '') {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): Object 'Kind' is missing in '${source}' (${excerpt(source)})`,
    );
  }
  const expected = apiVersionOf(resource);
  if (apiVersion !== expected) {
    throw badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${expected})`,
    );
  }
  if (kind !== resource.kind) throw otherType(value, resource);
}

/** A custom resource of another kind or version is invalid, not undecodable. */
function otherType(value: JsonObject, resource: Resource): Error {
  const { apiVersion, kind, metadata } = value;
  const expected = apiVersionOf(resource);
  const [group = ''] =
    typeof apiVersion === 'string' && apiVersion.includes('/') ? apiVersion.split('/') : [''];
  const name = isObject(metadata) && typeof metadata['name'] === 'string' ? metadata['name'] : '';
  return invalidObject({ group, name: typeof kind === 'string' ? kind : '' }, name, [
    ...(kind === resource.kind ? [] : [invalid('kind', kind, `must be ${resource.kind}`)]),
    ...(apiVersion === expected ? [] : [invalid('apiVersion', apiVersion, `must be ${expected}`)]),
  ]);
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

function cannotHandle(resource: Resource, message: string): Error {
  return badRequest(
    `${resource.kind} in version "${resource.version}" cannot be handled as a ${kindName(resource).name}: ${message}`,
  );
}

function notAnObject(value: unknown): string {
  const type = Array.isArray(value)
    ? 'array'
    : typeof value === 'boolean'
      ? 'bool'
      : value === null
        ? 'null'
        : typeof value;
  return `json: cannot unmarshal ${type} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;
}

/** The beginning of a body: a JSON object as it is, anything else in hexadecimal. */
function excerpt(source: string): string {
  if (source === '') return '<empty>';
  const start = source.slice(0, 30);
  const shown = source.trimStart().startsWith('{') ? start : Buffer.from(start).toString('hex');
  return source.length > 30 ? `${shown} ...` : shown;
}
