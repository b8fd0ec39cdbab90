import type { StructuralSchema } from '../schema/structural-schema.ts';

const textSchema: StructuralSchema = { type: 'string' };

/** The fields of every Kubernetes object that rules can see. */
const metadataSchema: StructuralSchema = {
  type: 'object',
  properties: { name: textSchema, generateName: textSchema },
};

const completed = new WeakMap<StructuralSchema, StructuralSchema>();

/** The schema of a whole object with apiVersion, kind and metadata, which it may omit. */
export function withObjectMeta(schema: StructuralSchema): StructuralSchema {
  const known = completed.get(schema);
  if (known) return known;
  const { kind, apiVersion, metadata } = schema.properties ?? {};
  const complete =
    kind?.type === 'string' &&
    apiVersion?.type === 'string' &&
    metadata?.type === 'object' &&
    metadata.properties?.['name']?.type === 'string' &&
    metadata.properties['generateName']?.type === 'string';
  const result = complete
    ? schema
    : {
        ...schema,
        properties: {
          ...schema.properties,
          kind: textSchema,
          apiVersion: textSchema,
          metadata: metadataSchema,
        },
      };
  completed.set(schema, result);
  return result;
}
