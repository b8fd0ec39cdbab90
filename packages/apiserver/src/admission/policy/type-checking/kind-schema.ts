import type { StructuralSchema } from 'ots-cel';
import { objectSchema } from 'ots-kubernetes/object-schemas';
import type { ObjectSchema } from 'ots-kubernetes/object-schema';
import { asStructural } from '../../../crd/rules/rule-errors.ts';
import type { Resource } from '../../../registry/resource.ts';

/** The schema of the objects of a resource as expressions see it; undefined for an unknown kind. */
export function kindSchema({ group, version, kind, definition }: Resource): StructuralSchema | undefined {
  if (definition) return customSchema(definition.schema?.openAPIV3Schema);
  const schema = objectSchema(group, version, kind);
  return schema && structural(schema, []);
}

const text: StructuralSchema = { type: 'string' };

/** Objects of a CustomResourceDefinition have the metadata of every object. */
function customSchema(schema: Parameters<typeof asStructural>[0] | undefined): StructuralSchema {
  const own = schema ? asStructural(schema) : { type: 'object' };
  const metadata = objectSchema('', 'v1', 'ConfigMap')?.properties?.get('metadata');
  const common = { apiVersion: text, kind: text, ...(metadata && { metadata: structural(metadata, []) }) };
  return { ...own, properties: { ...own.properties, ...common } };
}

/**
 * Quantities may be texts or numbers, so they have no type, and expressions do not see them.
 *
 * @param around the definitions that contain it: one that contains itself ends there
 */
function structural(schema: ObjectSchema, around: readonly string[]): StructuralSchema {
  const { type, format, definition, properties, items, additionalProperties, required } = schema;
  if (schema.intOrString) return { 'x-kubernetes-int-or-string': true };
  if (schema.quantity || !type) return {};
  if (definition !== undefined && around.includes(definition)) return { type: 'object' };
  const inner = definition === undefined ? around : [...around, definition];
  return {
    type,
    ...(format !== undefined && { format }),
    ...(required && { required }),
    ...(items && { items: structural(items, inner) }),
    ...(additionalProperties && { additionalProperties: structural(additionalProperties, inner) }),
    ...(properties && {
      properties: Object.fromEntries([...properties].map(([name, one]) => [name, structural(one, inner)])),
    }),
  };
}
