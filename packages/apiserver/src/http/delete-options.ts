import { DecodeError } from '../decoding/decode-error.ts';
import { StrictErrors } from '../decoding/strict-errors.ts';
import { decodeTyped } from '../decoding/decode-typed.ts';
import { goTypeOfKind } from '../decoding/go-type-of-kind.ts';
import { JsonNumber } from '../json/json-number.ts';
import { type JsonObject, isObject } from '../json/json-object.ts';
import { openProtobuf, protobufType, readProtobuf } from '../protobuf/protobuf-body.ts';
import { ProtobufError } from '../protobuf/wire-reader.ts';
import { type DeleteOptions, toDeleteOptions } from '../registry/delete-options.ts';
import { badRequest, unsupportedMediaType } from '../status/errors.ts';
import type { ApiRequest } from './api-request.ts';
import { acceptedTypes } from './decode-body.ts';
import { decodeExactJson } from '../json/decode-json.ts';
import { readYaml, yamlReason } from './read-yaml.ts';
import { readBoolean, readInteger } from './options.ts';
import { jsonType } from '../decoding/mismatches.ts';
import { jsonError, notStruct, wrongTypeMeta } from '../decoding/type-meta.ts';

/**
 * Reads the options of a deletion from the body, or from the query if there is no body.
 *
 * @throws {StatusError} 400 or 415 for a body that cannot be read, 422 for invalid values
 */
export async function readDeleteOptions(request: ApiRequest): Promise<DeleteOptions> {
  const body = await request.body();
  const options =
    body.length === 0 ? optionsOfQuery(request.query) : await optionsOfBody(body, request.contentType);
  return toDeleteOptions(options);
}

function optionsOfQuery(query: URLSearchParams): JsonObject {
  return {
    ...(query.has('gracePeriodSeconds') && { gracePeriodSeconds: readInteger(query, 'gracePeriodSeconds') }),
    ...(query.has('orphanDependents') && { orphanDependents: readBoolean(query, 'orphanDependents') }),
    ...(query.has('propagationPolicy') && { propagationPolicy: query.get('propagationPolicy') }),
    ...(query.has('dryRun') && { dryRun: query.getAll('dryRun') }),
  };
}

async function optionsOfBody(body: Buffer, contentType: string): Promise<JsonObject> {
  const value =
    contentType === protobufType ? parseProtobuf(body) : await parseBody(body.toString('utf8'), contentType);
  const options = value ?? {};
  if (!isObject(options) || options instanceof JsonNumber)
    throw badRequest(`${jsonError} ${notStruct(jsonType(value))}`);
  checkOptionsType(options);
  try {
    const type = goTypeOfKind('', 'v1', 'DeleteOptions')!;
    return decodeTyped(options, type, new StrictErrors());
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(error.message);
    throw error;
  }
}

/** Options may name any group and version: they are the same in all of them. */
function checkOptionsType(options: JsonObject): void {
  const mismatch = wrongTypeMeta(options);
  if (mismatch !== undefined) throw badRequest(`${jsonError} ${mismatch}`);
  const { kind, apiVersion } = options;
  if (typeof apiVersion === 'string' && apiVersion.split('/').length > 2)
    throw badRequest(`unexpected GroupVersion string: ${apiVersion}`);
  if (typeof kind === 'string' && kind !== '' && kind !== 'DeleteOptions') {
    const version = JSON.stringify(apiVersion || 'meta.k8s.io/v1');
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${version} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
}

/** The options of a deletion are the same in every group and version. */
function parseProtobuf(body: Buffer): JsonObject {
  try {
    const { apiVersion, kind, raw } = openProtobuf(body);
    if (kind !== '' && kind !== 'DeleteOptions') return { apiVersion, kind };
    return readProtobuf(raw, 'meta.k8s.io/v1', 'DeleteOptions');
  } catch (error) {
    if (error instanceof ProtobufError) throw badRequest(error.message);
    throw error;
  }
}

async function parseBody(source: string, contentType: string): Promise<unknown> {
  if (contentType !== '' && contentType !== 'application/json' && contentType !== 'application/yaml')
    throw unsupportedMediaType(acceptedTypes);
  try {
    return contentType === 'application/yaml' ? (await readYaml(source)).value : decodeExactJson(source);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw badRequest(yamlReason(message, jsonError));
  }
}
