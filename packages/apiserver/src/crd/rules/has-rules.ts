import { type Schema, additionalSchema, itemSchema } from '../../schema/json-schema.ts';

/** Whether a schema, or a schema nested in it, has rules (`x-kubernetes-validations`). */
export function hasRules(schema: Schema): boolean {
  if ((schema['x-kubernetes-validations'] ?? []).length > 0) return true;
  const parts = [itemSchema(schema), additionalSchema(schema), ...Object.values(schema.properties ?? {})];
  return parts.some((part) => part !== undefined && hasRules(part));
}
