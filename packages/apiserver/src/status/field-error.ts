/** One thing that is wrong with one field, in the words of a kube-apiserver. */
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
    | 'FieldValueNotFound';
  /** Such as `spec.containers[0].name`. */
  field: string;
  message: string;
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
    JSON.stringify(typeof item === 'string' ? item : JSON.stringify(item)),
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

export function forbidden(field: string, detail: string): FieldError {
  return { reason: 'FieldValueForbidden', field, message: withDetail('Forbidden', detail) };
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

/** Strings quoted, everything else as JSON: what a server prints for a value that it refuses. */
function show(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}
