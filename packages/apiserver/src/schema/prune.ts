import { type JsonObject, isObject } from '../objects/json-object.ts';
import { objectMeta } from '../registry/decode-metadata.ts';
import { type Schema, additionalSchema, itemSchema, propertySchema } from './json-schema.ts';

/** The metadata of an embedded object is pruned, too. */
const metadataFields = objectMeta.fields();

/** What every object with type information has beside the properties of its schema. */
const typeFields = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Removes the fields that a schema does not know. Changes the value.
 *
 * @param pruned takes the path of each field that is removed
 */
export function prune(value: unknown, schema: Schema, pruned: string[]): void {
  if (isObject(value)) pruneObject(value, schema, '', true, pruned);
}

function pruneValue(value: unknown, schema: Schema, path: string, pruned: string[]): void {
  if (isObject(value)) {
    pruneObject(value, schema, path, schema['x-kubernetes-embedded-resource'] === true, pruned);
  } else if (Array.isArray(value)) {
    const item = itemSchema(schema);
    if (!item) return;
    for (const [index, entry] of value.entries()) pruneValue(entry, item, `${path}[${index}]`, pruned);
  }
}

function pruneObject(
  object: JsonObject,
  schema: Schema,
  path: string,
  isResource: boolean,
  pruned: string[],
): void {
  const keepsUnknown = schema['x-kubernetes-preserve-unknown-fields'] === true;
  const isOpen = schema.additionalProperties === true || additionalSchema(schema) !== undefined;
  for (const [name, value] of Object.entries(object)) {
    const fieldPath = path === '' ? name : `${path}.${name}`;
    if (isResource && typeFields.has(name)) {
      // The metadata of the object itself was read before.
      if (name === 'metadata' && path !== '') pruneMetadata(value, fieldPath, pruned);
      continue;
    }
    const property = propertySchema(schema, name);
    if (property) {
      pruneValue(value, property, fieldPath, pruned);
    } else if (!keepsUnknown && !isOpen) {
      delete object[name];
      pruned.push(fieldPath);
    }
  }
}

function pruneMetadata(metadata: unknown, path: string, pruned: string[]): void {
  if (!isObject(metadata)) return;
  for (const name of Object.keys(metadata)) {
    if (Object.hasOwn(metadataFields, name)) continue;
    delete metadata[name];
    pruned.push(`${path}.${name}`);
  }
}
