import { aliasKey } from '../schema/alias.ts';
import { originKey } from '../schema/origin.ts';
import type { Schema } from '../schema/schema.ts';

/** Types of the language that take the type that matters as an argument. */
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

/** The part of a schema that has properties: itself, or that of its items or values. */
export function structureOf(schema: Schema): Schema | undefined {
  if (schema.properties?.size) return schema;
  const inner = schema.items ?? schema.additionalProperties;
  return inner && structureOf(inner);
}

/**
 * Whether a schema is that of a type of Kubernetes itself, which has a reference of its own: what the author declares
 * has an origin, and what comes from a package has none.
 */
export function isBuiltin(schema: Schema): boolean {
  return ![...(schema.properties?.values() ?? [])].some((property) => property[originKey]);
}

/** What the values of a property are, in the words of the reference. */
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

/** A schema does not know what its type is called, but the declaration of the property says it. */
function writtenType({ [originKey]: origin }: Schema): string | undefined {
  if (!origin) return undefined;
  const rest = origin.source.text.slice(origin.span.end, origin.span.end + 200);
  const name = /^['"\]]?\s*\??\s*:\s*(?:readonly\s+)?\(?\s*(?<name>[A-Za-z_$][\w$.]*)/.exec(rest)?.groups?.[
    'name'
  ];
  return name === undefined || wrappers.has(name) ? undefined : name.slice(name.lastIndexOf('.') + 1);
}
