import type { Tag } from '../tag-syntax/tag.ts';
import type { Fail } from './apply-tags.ts';
import { describeSchema } from '../schema/schema.ts';
import type { Schema } from '../schema/schema.ts';

/**
 * Checks `+k8s:enum`, which turns Go constants into an enum. In TypeScript, the type itself lists its values.
 */
export function checkLiteralEnum(schema: Schema, _: Tag, fail: Fail): void {
  if (schema.type === 'string' && schema.enum) return;
  fail(
    `is for unions of string literals, and this is ${describeSchema(schema)}`,
    "write type Color = 'red' | 'blue'",
  );
}
