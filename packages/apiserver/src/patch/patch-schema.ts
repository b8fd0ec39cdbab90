import type { ObjectSchema } from 'ots-kubernetes/object-schema';
import { StrategicMergeError } from './strategic-merge-error.ts';

/** How a strategic merge patch treats one field. */
export interface FieldPatching {
  /** The schema of the field, or of its items if it is a list. */
  schema: ObjectSchema;
  strategy: 'merge' | 'replace' | undefined;
  /** The merge key of the items; undefined for lists of scalars. */
  mergeKey: string | undefined;
}

/**
 * Looks up how to patch a field.
 *
 * @param schema the schema of the object that has the field
 * @param asList whether to return the schema of the items
 * @throws {StrategicMergeError} 500 for an unknown field, which only objects with arbitrary fields have
 */
export function patchingOf(schema: ObjectSchema, field: string, asList: boolean): FieldPatching {
  const known = schema.properties?.get(field);
  if (!known) throw unknownField(schema, field);
  if (asList && !known.items) throw new StrategicMergeError('expected slice or array type, but got: struct');
  return {
    schema: (asList ? known.items : undefined) ?? known,
    strategy: known.patchStrategy?.find((strategy) => strategy !== 'retainKeys'),
    mergeKey: known.patchMergeKey,
  };
}

function unknownField(schema: ObjectSchema, field: string): StrategicMergeError {
  return new StrategicMergeError(
    schema.additionalProperties
      ? 'merging an object in json but data type is not struct, instead is: map'
      : `unable to find api field in struct ${schema.name ?? ''} for the json field ${JSON.stringify(field)}`,
  );
}
