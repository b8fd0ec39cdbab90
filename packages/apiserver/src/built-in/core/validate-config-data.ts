import { type FieldError, forbidden, invalid } from '../../status/field-error.ts';
import { jsonEqual } from '../../json/json-equal.ts';
import { dataKey } from '../validation/text-rules.ts';

/** The maximum total size of the values of a ConfigMap or Secret, in bytes. */
export const maxConfigBytes = 1024 * 1024;

/** Validates the keys of one map of a ConfigMap or Secret. */
export function validateConfigKeys(data: Record<string, string>, field: string): FieldError[] {
  return Object.keys(data).flatMap((key) =>
    dataKey(key).map((message) => invalid(`${field}[${key}]`, key, message)),
  );
}

/** @param encoding the encoding of the values */
export function sizeOfValues(data: Record<string, string>, encoding: 'utf8' | 'base64'): number {
  return Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value, encoding), 0);
}

/** Checks that an immutable object stays the same, and stays immutable. */
export function validateImmutableData<Fields extends string>(
  object: { immutable?: boolean } & Partial<Record<Fields, unknown>>,
  old: { immutable?: boolean } & Partial<Record<Fields, unknown>>,
  fields: readonly Fields[],
): FieldError[] {
  if (!old.immutable) return [];
  const changed = fields.filter((field) => !jsonEqual(object[field] ?? {}, old[field] ?? {}));
  return [...(object.immutable ? [] : ['immutable']), ...changed].map((field) =>
    forbidden(field, 'field is immutable when `immutable` is set'),
  );
}
