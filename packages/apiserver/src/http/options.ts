import { type JsonObject, isObject } from '../objects/json-object.ts';
import type { DeleteOptions } from '../registry/delete.ts';
import type { WriteOptions } from '../registry/target.ts';
import { badRequest, invalidObject } from '../status/errors.ts';
import { type FieldError, forbidden, invalid, notSupported } from '../status/field-error.ts';
import type { ApiRequest } from './api-request.ts';
import { decodeJson } from './decode-json.ts';
import type { FieldValidation } from './decode-body.ts';

const fieldValidations = ['', 'Ignore', 'Strict', 'Warn'];
const propagationPolicies = ['Foreground', 'Background', 'Orphan', 'nil'];

/**
 * Reads the parameters of a create, update or patch.
 *
 * @param kind of the options in messages, such as `CreateOptions`
 * @throws {StatusError} 422 for values that do not exist
 */
export function readWriteOptions(
  { query }: ApiRequest,
  kind: string,
): WriteOptions & { fieldValidation: FieldValidation } {
  const fieldValidation = query.get('fieldValidation') ?? '';
  const errors = [
    ...checkFieldManager(query.get('fieldManager') ?? ''),
    ...checkDryRun(query.getAll('dryRun')),
    ...(fieldValidations.includes(fieldValidation)
      ? []
      : [notSupported('fieldValidation', fieldValidation, fieldValidations)]),
  ];
  if (query.has('force')) errors.push(forbidden('force', 'may not be specified for non-apply patch'));
  if (errors.length > 0) throw invalidOptions(kind, errors);
  return { dryRun: isDryRun(query.getAll('dryRun')), fieldValidation: toFieldValidation(fieldValidation) };
}

/**
 * Reads the options of a deletion: the body counts, and the parameters only without one.
 *
 * @throws {StatusError} 400 for a body that cannot be read, 422 for values that do not exist
 */
export async function readDeleteOptions(request: ApiRequest): Promise<DeleteOptions> {
  const source = (await request.body()).toString('utf8');
  const options = source === '' ? optionsOfQuery(request.query) : optionsOfBody(source);
  const { dryRun = [], propagationPolicy, preconditions } = options;
  if (!Array.isArray(dryRun)) throw cannotUnmarshal('dryRun', '[]string');
  const errors = [
    ...checkDryRun(dryRun),
    ...(propagationPolicy === undefined ||
    (typeof propagationPolicy === 'string' && propagationPolicies.includes(propagationPolicy))
      ? []
      : [notSupported('propagationPolicy', propagationPolicy, propagationPolicies)]),
  ];
  if (errors.length > 0) throw invalidOptions('DeleteOptions', errors);
  return {
    dryRun: isDryRun(dryRun),
    ...(typeof propagationPolicy === 'string' && { propagationPolicy }),
    preconditions: readPreconditions(preconditions),
  };
}

/** @throws {StatusError} 400 for a text that is no whole number */
export function readInteger(query: URLSearchParams, name: string): number {
  const value = query.get(name) ?? '';
  if (value === '') return 0;
  if (/^[-+]?\d{1,15}$/.test(value)) return Number(value);
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: invalid syntax`);
}

/** Go reads any value but these as true. */
export function readBoolean(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== 'false' && value !== '0';
}

function optionsOfQuery(query: URLSearchParams): JsonObject {
  readInteger(query, 'gracePeriodSeconds');
  return {
    ...(query.has('dryRun') && { dryRun: query.getAll('dryRun') }),
    ...(query.has('propagationPolicy') && { propagationPolicy: query.get('propagationPolicy') }),
    ...(query.get('orphanDependents') === 'true' && { propagationPolicy: 'Orphan' }),
  };
}

function optionsOfBody(source: string): JsonObject {
  let value: unknown;
  try {
    ({ value } = decodeJson(source));
  } catch (error) {
    throw badRequest(
      `couldn't get version/kind; json parse error: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (!isObject(value))
    throw badRequest("couldn't get version/kind; json parse error: the body is no object");
  const { kind, apiVersion, gracePeriodSeconds } = value;
  if (kind !== undefined && kind !== 'DeleteOptions') {
    throw badRequest(
      `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion ?? '')} in scheme "pkg/runtime/scheme.go:111"`,
    );
  }
  if (
    gracePeriodSeconds !== undefined &&
    gracePeriodSeconds !== null &&
    !Number.isInteger(gracePeriodSeconds)
  ) {
    throw cannotUnmarshal('gracePeriodSeconds', 'int64');
  }
  return value;
}

function readPreconditions(value: unknown): DeleteOptions['preconditions'] {
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw cannotUnmarshal('preconditions', 'v1.Preconditions');
  const { uid, resourceVersion } = value;
  return {
    ...(typeof uid === 'string' && { uid }),
    ...(typeof resourceVersion === 'string' && { resourceVersion }),
  };
}

function checkDryRun(values: readonly unknown[]): FieldError[] {
  return values.every((value) => value === 'All') ? [] : [notSupported('dryRun', values, ['All'])];
}

function isDryRun(values: readonly unknown[]): boolean {
  return values.includes('All');
}

function checkFieldManager(name: string): FieldError[] {
  if (Buffer.byteLength(name) > 128) return [invalid('fieldManager', name, 'may not be more than 128 bytes')];
  return /^[^\p{C}]*$/u.test(name)
    ? []
    : [invalid('fieldManager', name, 'must hold printable characters only')];
}

function toFieldValidation(value: string): FieldValidation {
  return value === 'Strict' || value === 'Ignore' ? value : 'Warn';
}

function invalidOptions(kind: string, errors: readonly FieldError[]): Error {
  return invalidObject({ group: 'meta.k8s.io', name: kind }, '', errors);
}

function cannotUnmarshal(field: string, type: string): Error {
  return badRequest(`json: cannot unmarshal the value of DeleteOptions.${field} into Go type ${type}`);
}
