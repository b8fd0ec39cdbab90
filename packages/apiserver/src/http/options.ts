import { checkDryRun, invalidOptions, isDryRun } from '../registry/dry-run.ts';
import type { WriteOptions } from '../registry/target.ts';
import { badRequest } from '../status/errors.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../status/field-error.ts';
import type { ApiRequest } from './api-request.ts';
import type { FieldValidation } from './decode-body.ts';

const fieldValidations = ['', 'Ignore', 'Strict', 'Warn'];

/**
 * Reads the parameters of a create, update or patch.
 *
 * @param kind the kind of the options in messages, such as `CreateOptions`
 * @param isApply whether they belong to an apply patch, which requires a manager and can be forced
 * @throws {StatusError} 422 for invalid values
 */
export function readWriteOptions(
  request: ApiRequest,
  kind: string,
  isApply = false,
): WriteOptions & {
  fieldValidation: FieldValidation;
  manager: string;
  force: boolean;
  warnings: string[];
} {
  const { query, clientName, warnings, audit, user } = request;
  const fieldValidation = query.get('fieldValidation') ?? '';
  const fieldManager = query.get('fieldManager') ?? '';
  const errors = [
    ...(isApply && fieldManager === '' ? [required('fieldManager', 'is required for apply patch')] : []),
    ...checkFieldManager(fieldManager),
    ...checkDryRun(query.getAll('dryRun')),
    ...(fieldValidations.includes(fieldValidation)
      ? []
      : [notSupported('fieldValidation', fieldValidation, fieldValidations)]),
  ];
  if (query.has('force') && !isApply)
    errors.push(forbidden('force', 'may not be specified for non-apply patch'));
  if (errors.length > 0) throw invalidOptions(kind, errors);
  return {
    user,
    client: request,
    dryRun: isDryRun(query.getAll('dryRun')),
    fieldValidation: toFieldValidation(fieldValidation),
    manager: fieldManager === '' ? printablePrefix(clientName) : fieldManager,
    force: readBoolean(query, 'force'),
    warnings,
    audit,
    sent: {
      ...(fieldManager !== '' && { fieldManager }),
      ...(fieldValidation !== '' && { fieldValidation }),
    },
  };
}

/** @throws {StatusError} 400 for a text that is not an integer */
export function readInteger(query: URLSearchParams, name: string): number {
  const value = query.get(name);
  if (value === null) return 0;
  const integer = /^[-+]?\d+$/.test(value) ? BigInt(value.replace('+', '')) : undefined;
  if (integer !== undefined && BigInt.asIntN(64, integer) === integer) return Number(integer);
  const problem = integer === undefined ? 'invalid syntax' : 'value out of range';
  throw badRequest(`strconv.ParseInt: parsing ${JSON.stringify(value)}: ${problem}`);
}

/** Go reads any value except these as true. */
export function readBoolean(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  return value !== null && value !== 'false' && value !== '0';
}

function checkFieldManager(name: string): FieldError[] {
  if (Buffer.byteLength(name) > 128) return [invalid('fieldManager', name, 'may not be more than 128 bytes')];
  return /^[^\p{C}]*$/u.test(name)
    ? []
    : [invalid('fieldManager', name, 'must hold printable characters only')];
}

/** A client without a manager is identified by its User-Agent, shortened if necessary. */
function printablePrefix(name: string): string {
  let prefix = '';
  for (const char of name.replace(/\p{C}/gu, '')) {
    if (Buffer.byteLength(prefix + char) > 128) break;
    prefix += char;
  }
  return prefix;
}

function toFieldValidation(value: string): FieldValidation {
  return value === 'Strict' || value === 'Ignore' ? value : 'Warn';
}
