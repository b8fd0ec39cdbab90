import { parse } from 'yaml';
import { DecodeError, decodeFields, type Struct } from '../objects/decode-fields.ts';
import { type JsonObject, isObject } from '../objects/json-object.ts';
import { openProtobuf, protobufType, readProtobuf } from '../protobuf/protobuf-body.ts';
import { ProtobufError } from '../protobuf/protobuf-error.ts';
import type { DeleteOptions, PropagationPolicy } from '../registry/delete-options.ts';
import { badRequest, unsupportedMediaType } from '../status/errors.ts';
import { type FieldError, invalid, notSupported } from '../status/field-error.ts';
import type { ApiRequest } from './api-request.ts';
import { acceptedTypes } from './decode-body.ts';
import { decodeJson } from './decode-json.ts';
import { checkDryRun, invalidOptions, isDryRun, readBoolean, readInteger } from './options.ts';

const policies: readonly string[] = ['Foreground', 'Background', 'Orphan'];

const optionsShape: Struct = {
  type: 'DeleteOptions',
  fields: () => ({
    gracePeriodSeconds: 'integer',
    preconditions: {
      type: 'Preconditions',
      fields: () => ({ uid: 'string', resourceVersion: 'string' }),
    },
    orphanDependents: 'boolean',
    propagationPolicy: 'string',
    dryRun: { list: 'string' },
  }),
};

/**
 * Reads the options of a deletion: the body counts, and the parameters only without one.
 *
 * @throws {StatusError} 400 or 415 for a body that cannot be read, 422 for values that do not exist
 */
export async function readDeleteOptions(request: ApiRequest): Promise<DeleteOptions> {
  const body = await request.body();
  const options =
    body.length === 0 ? optionsOfQuery(request.query) : optionsOfBody(body, request.contentType);
  const { propagationPolicy, orphanDependents, gracePeriodSeconds, preconditions } = options;
  const dryRun = Array.isArray(options['dryRun']) ? (options['dryRun'] as unknown[]) : [];
  const errors = [...checkPropagation(propagationPolicy, orphanDependents), ...checkDryRun(dryRun)];
  if (errors.length > 0) throw invalidOptions('DeleteOptions', errors);
  return {
    dryRun: isDryRun(dryRun),
    ...(isPolicy(propagationPolicy) && { propagationPolicy }),
    ...(typeof orphanDependents === 'boolean' && { orphanDependents }),
    // A negative period is as short as one can be.
    ...(typeof gracePeriodSeconds === 'number' && {
      gracePeriodSeconds: gracePeriodSeconds < 0 ? 1 : gracePeriodSeconds,
    }),
    preconditions: isObject(preconditions) ? preconditions : {},
  };
}

function isPolicy(value: unknown): value is PropagationPolicy {
  return typeof value === 'string' && policies.includes(value);
}

function checkPropagation(policy: unknown, orphanDependents: unknown): FieldError[] {
  if (policy === undefined) return [];
  const field = 'propagationPolicy';
  return [
    ...(orphanDependents === undefined
      ? []
      : [invalid(field, policy, 'orphanDependents and deletionPropagation cannot be both set')]),
    ...(isPolicy(policy) ? [] : [notSupported(field, policy, [...policies, 'nil'])]),
  ];
}

function optionsOfQuery(query: URLSearchParams): JsonObject {
  return {
    ...(query.has('gracePeriodSeconds') && { gracePeriodSeconds: readInteger(query, 'gracePeriodSeconds') }),
    ...(query.has('orphanDependents') && { orphanDependents: readBoolean(query, 'orphanDependents') }),
    ...(query.has('propagationPolicy') && { propagationPolicy: query.get('propagationPolicy') }),
    ...(query.has('dryRun') && { dryRun: query.getAll('dryRun') }),
  };
}

function optionsOfBody(body: Buffer, contentType: string): JsonObject {
  const value =
    contentType === protobufType ? parseProtobuf(body) : parseBody(body.toString('utf8'), contentType);
  if (!isObject(value))
    throw badRequest("couldn't get version/kind; json parse error: the body is no object");
  const { kind, apiVersion } = value;
  if (kind !== undefined && kind !== 'DeleteOptions') {
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion ?? '')} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  try {
    return decodeFields(value, optionsShape, { path: '', goField: '', unknown: [] }, '');
  } catch (error) {
    if (error instanceof DecodeError) throw badRequest(error.message);
    throw error;
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

function parseBody(source: string, contentType: string): unknown {
  if (contentType !== '' && contentType !== 'application/json' && contentType !== 'application/yaml')
    throw unsupportedMediaType(acceptedTypes);
  try {
    return contentType === 'application/yaml' ? (parse(source) as unknown) : decodeJson(source).value;
  } catch (error) {
    throw badRequest(
      `couldn't get version/kind; json parse error: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
