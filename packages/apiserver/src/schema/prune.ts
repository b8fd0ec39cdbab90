import { type JsonObject, isObject } from '../json/json-object.ts';
import { type Schema, additionalSchema, itemSchema, propertySchema } from './json-schema.ts';
import { isInvalidNull } from './apply-defaults.ts';

/** The fields of every object with a type, besides the properties of its schema. */
const typeFields = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Removes the fields of an object that its schema does not define. Changes the object.
 *
 * @param pruned receives the path of each removed field
 */
export function prune(value: unknown, schema: Schema, pruned: string[]): void {
  pruneValue(value, { ...schema, 'x-kubernetes-embedded-resource': true }, '', pruned);
}

/** @param schema undefined for a value without a schema: only its lists and scalars stay */
function pruneValue(value: unknown, schema: Schema | undefined, path: string, pruned: string[]): void {
  if (schema?.['x-kubernetes-preserve-unknown-fields'] === true) keepUnknown(value, schema, path, pruned);
  else if (isObject(value)) pruneObject(value, schema, path, pruned);
  else if (Array.isArray(value)) {
    const item = schema && itemSchema(schema);
    if (!item) pruneItems(value, path, pruned);
    else for (const [index, entry] of value.entries()) pruneValue(entry, item, `${path}[${index}]`, pruned);
  }
}

/** Works without recursion: no schema limits how deep such lists are nested. */
function pruneItems(list: readonly unknown[], path: string, pruned: string[]): void {
  const open: { list: readonly unknown[]; path: string }[] = [{ list, path }];
  for (const outer of open) {
    for (const [index, entry] of outer.list.entries()) {
      const entryPath = `${outer.path}[${index}]`;
      if (Array.isArray(entry)) open.push({ list: entry, path: entryPath });
      else if (isObject(entry)) pruneObject(entry, undefined, entryPath, pruned);
    }
  }
}

function pruneObject(object: JsonObject, schema: Schema | undefined, path: string, pruned: string[]): void {
  for (const name of Object.keys(object)) {
    if (schema?.['x-kubernetes-embedded-resource'] && typeFields.has(name)) continue;
    const fieldPath = join(path, name);
    const child = schema && childSchema(schema, name);
    if (child) {
      pruneValue(object[name], child.schema, fieldPath, pruned);
    } else {
      delete object[name];
      pruned.push(fieldPath);
    }
  }
}

/** Prunes the described fields even where unknown fields are kept. */
function keepUnknown(value: unknown, schema: Schema | undefined, path: string, pruned: string[]): void {
  if (!schema) return;
  if (isObject(value)) {
    for (const name of Object.keys(value)) {
      if (schema['x-kubernetes-embedded-resource'] && typeFields.has(name)) continue;
      const child = childSchema(schema, name);
      if (child) pruneValue(value[name], child.schema, join(path, name), pruned);
    }
  } else if (Array.isArray(value)) {
    const item = itemSchema(schema);
    for (const [index, entry] of value.entries()) keepUnknown(entry, item, `${path}[${index}]`, pruned);
  }
}

/** The schema of a known field; undefined for a map with arbitrary values. */
function childSchema(schema: Schema, name: string): { schema: Schema | undefined } | undefined {
  const { properties } = schema;
  if (properties && Object.hasOwn(properties, name)) return { schema: properties[name] };
  return schema.additionalProperties === undefined ? undefined : { schema: additionalSchema(schema) };
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Removes null fields where null is neither allowed nor replaced by a default. Changes the value. */
export function pruneNulls(value: unknown, schema: Schema): void {
  if (isObject(value)) {
    for (const name of Object.keys(value)) {
      const property = propertySchema(schema, name);
      if (!property) continue;
      if (property.default === undefined && isInvalidNull(value[name], property)) delete value[name];
      else pruneNulls(value[name], property);
    }
  } else if (Array.isArray(value)) {
    const item = itemSchema(schema);
    if (item) for (const entry of value) pruneNulls(entry, item);
  }
}
