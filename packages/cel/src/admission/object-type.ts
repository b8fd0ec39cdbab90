import { schemaType } from '../schema/schema-type.ts';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import type { CelType } from '../types/cel-type.ts';

/**
 * The type of the objects of a kind in expressions.
 *
 * @param schema the published schema of the kind, without references
 * @param name the name of the type in messages
 * @returns undefined for a schema without a type
 */
export function objectType(schema: StructuralSchema, name: string): CelType | undefined {
  return schemaType(schema, true, name)?.type;
}
