import { goQuote } from 'ots-apimachinery/go/go-quote';
import { stringifyJson } from '../json/stringify-json.ts';

/** One problem with one field, in the words of kube-apiserver. */
export interface FieldError {
  /** The `reason` of the cause in a Status. */
  reason:
    | 'FieldValueRequired'
    | 'FieldValueInvalid'
    | 'FieldValueTypeInvalid'
    | 'FieldValueNotSupported'
    | 'FieldValueDuplicate'
    | 'FieldValueForbidden'
    | 'FieldValueTooLong'
    | 'FieldValueTooMany'
    | 'FieldValueNotFound'
    | 'InternalError';
  /** Such as `spec.containers[0].name`. */
  field: string;
  message: string;
}

/**
 * The path of a field within a value.
 *
 * @param base the path of the value; empty for the object itself
 * @param path the path of the field from the value on; empty for the value
 */
export function fieldPath(base: string, path: string): string {
  const name = path.startsWith('.') ? path.slice(1) : path;
  if (name === '') return base === '' ? '<nil>' : base;
  return base === '' ? name : `${base}.${name}`;
}

export function required(field: string, detail = ''): FieldError {
  return { reason: 'FieldValueRequired', field, message: withDetail('Required value', detail) };
}

export function invalid(field: string, value: unknown, detail: string): FieldError {
  return { reason: 'FieldValueInvalid', field, message: withDetail(`Invalid value: ${show(value)}`, detail) };
}

export function typeInvalid(field: string, value: unknown, detail: string): FieldError {
  return {
    reason: 'FieldValueTypeInvalid',
    field,
    message: withDetail(`Invalid value: ${show(value)}`, detail),
  };
}

export function notSupported(field: string, value: unknown, supported: readonly unknown[]): FieldError {
  const values = supported.map((item) =>
    JSON.stringify(typeof item === 'string' ? item : stringifyJson(item)),
  );
  const detail = values.length === 0 ? '' : `supported values: ${values.join(', ')}`;
  return {
    reason: 'FieldValueNotSupported',
    field,
    message: withDetail(`Unsupported value: ${show(value)}`, detail),
  };
}

export function duplicate(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: ${show(value)}` };
}

/** A name that refers to something that does not exist. */
export function notFound(field: string, value: unknown): FieldError {
  return { reason: 'FieldValueNotFound', field, message: `Not found: ${show(value)}` };
}

export function forbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: withDetail('Forbidden', detail) };
}

/** A fault of the server, or of the state it stored before. */
export function internal(field: string, detail: string): FieldError {
  return { reason: 'InternalError', field, message: withDetail('Internal error', detail) };
}

export function tooLong(field: string, limit: number): FieldError {
  const unit = limit === 1 ? 'byte' : 'bytes';
  return { reason: 'FieldValueTooLong', field, message: `Too long: may not be more than ${limit} ${unit}` };
}

export function tooMany(field: string, count: number, limit: number): FieldError {
  const unit = limit === 1 ? 'item' : 'items';
  return {
    reason: 'FieldValueTooMany',
    field,
    message: `Too many: ${count}: must have at most ${limit} ${unit}`,
  };
}

function withDetail(head: string, detail: string): string {
  return detail === '' ? head : `${head}: ${detail}`;
}

/** How a server prints a value that it refuses: strings quoted as in Go, everything else as JSON. */
function show(value: unknown): string {
  if (typeof value === 'string') return goQuote(value);
  const text = stringifyJson(value) ?? 'null';
  return text.replace(/[<>&]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
}
