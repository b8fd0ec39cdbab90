import type { ObjectMeta } from 'ots-kubernetes';
import { objectMetaType } from '../../metadata/decode-metadata.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

/**
 * Checks that a review has no metadata other than managed fields, because it is not an object.
 *
 * @param allowed further fields that may be set
 */
export function validateEmpty(
  metadata: ObjectMeta,
  detail: string,
  allowed: readonly (keyof ObjectMeta)[] = [],
): FieldError[] {
  const { managedFields: _, ...rest } = metadata;
  for (const field of allowed) delete rest[field as keyof typeof rest];
  if (Object.keys(rest).length === 0) return [];
  const order = [...objectMetaType().fields.keys()];
  const entries = Object.entries(metadata).toSorted(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return [invalid('metadata', Object.fromEntries(entries), detail)];
}
