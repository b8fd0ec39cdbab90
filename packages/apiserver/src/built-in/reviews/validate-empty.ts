import type { ObjectMeta } from 'ots-kubernetes';
import { objectMetaType } from '../../metadata/decode-metadata.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

/**
 * Checks that a review, which is no object, has no metadata. Who owns its fields is told nevertheless.
 *
 * @param allowed what may be there
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
