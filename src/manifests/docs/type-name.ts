import { aliasKey } from '../schema/alias.ts';
import { originKey } from '../schema/origin.ts';
import type { Schema } from '../schema/schema.ts';

/** TypeScript types that take the documented type as an argument. */
const wrappers = new Set([
  'Array',
  'ReadonlyArray',
  'Record',
  'Partial',
  'Required',
  'Readonly',
  'Pick',
  'Omit',
]);

/** Returns the part of a schema that has properties: the schema itself, its items or its values. */
export function structureOf(schema: Schema): Schema | undefined {
  if (schema.properties?.size) return schema;
  const inner = schema.items ?? schema.additionalProperties;
  return inner && structureOf(inner);
}

/**
 * Returns whether a schema is a type of Kubernetes itself, which has its own reference. A type that the
 * author declares has an origin. A type from a package has none.
 */
export function isBuiltin(schema: Schema): boolean {
  return ![...(schema.properties?.values() ?? [])].some((property) => property[originKey]);
}

/** Returns the type of a property's values, as the reference shows it. */
export function typeName(property: Schema): string {
  return nameOf(property, property);
}

function nameOf(schema: Schema, property: Schema): string {
  if (schema[aliasKey] && !structureOf(schema)) return schema[aliasKey].name;
  if (schema['x-kubernetes-int-or-string']) return 'integer or string';
  if (schema.items) return `${nameOf(schema.items, property)}[]`;
  if (schema.additionalProperties) return `map of ${nameOf(schema.additionalProperties, property)}`;
  if (schema.properties?.size && isBuiltin(schema)) return writtenType(property) ?? 'object';
  if (schema.type === 'integer' || schema.type === 'number') return schema.format ?? schema.type;
  const base = schema.type ?? 'any';
  return schema.format === undefined ? base : `${base} (${schema.format})`;
}

/** A schema does not know the name of its type, but the declaration of the property states it. */
function writtenType({ [originKey]: origin }: Schema): string | undefined {
  if (!origin) return undefined;
  const rest = origin.source.text.slice(origin.span.end, origin.span.end + 200);
  const name = /^['"\]]?\s*\??\s*:\s*(?:readonly\s+)?\(?\s*(?<name>[A-Za-z_$][\w$.]*)/.exec(rest)?.groups?.[
    'name'
  ];
  return name === undefined || wrappers.has(name) ? undefined : name.slice(name.lastIndexOf('.') + 1);
}
