const referencePrefix = '#/components/schemas/';
const kindKey = 'x-kubernetes-group-version-kind';
const commonFields = new Set(['apiVersion', 'kind', 'metadata', 'status']);

/**
 * @typedef {Record<string, object>} Definitions schemas by full name
 * @typedef {{ path: (string | number)[], names: string[], schema: object, value: unknown, isStruct: boolean }} Field `names`
 *   ends with that of the field: its definition, a dot, and its own; before it are those of the fields that it is below. A struct
 *   has fields itself, or elements that have some
 */

/** @returns {string | undefined} the full name of the definition that a schema stands for */
export function referenceOf(schema) {
  return (schema.$ref ?? schema.allOf?.[0].$ref)?.slice(referencePrefix.length);
}

/**
 * The fields of an object and of all nested objects, set or not; without metadata and status.
 *
 * @param {object} object
 * @param {string} definition full name
 * @param {Definitions} definitions
 * @param {{ path: (string | number)[], names: string[] }} [parent] the field that contains the object
 * @returns {Generator<Field>}
 */
export function* fieldsOf(object, definition, definitions, parent = { path: [], names: [] }) {
  const isKind = Boolean(definitions[definition][kindKey]);
  for (const [property, schema] of Object.entries(definitions[definition].properties)) {
    if (isKind && commonFields.has(property)) continue;
    const below = referenceOf(schema.items ?? schema);
    if (below?.endsWith('.ObjectMeta')) continue;
    const isStruct = Boolean(definitions[below]?.properties);
    const path = [...parent.path, property];
    const names = [...parent.names, `${definition}.${property}`];
    const value = object[property];
    yield { path, names, schema, value, isStruct };
    if (!isStruct || !value) continue;
    if (!schema.items) yield* fieldsOf(value, below, definitions, { path, names });
    else {
      for (const [n, item] of value.entries()) {
        yield* fieldsOf(item, below, definitions, { path: [...path, n], names });
      }
    }
  }
}

/** @returns {unknown} the value at the path; undefined if there is none */
export function valueAt(object, path) {
  return path.reduce((value, key) => value?.[key], object);
}

/** @returns {object} a copy with the value at the path */
export function withValue(object, path, value) {
  const copy = structuredClone(object);
  const parent = path.slice(0, -1).reduce((part, key) => (part[key] ??= {}), copy);
  parent[path.at(-1)] = value;
  return copy;
}
