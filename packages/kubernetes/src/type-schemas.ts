import { typeSchemaTable } from './type-schema-table.ts';

/** The schema of a type inside of a CustomResourceDefinition: the subset of JSONSchemaProps that occurs. */
export interface TypeSchema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'boolean';
  format?: string;
  default?: string | number | boolean;
  enum?: string[];
  minimum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  items?: TypeSchema;
  properties?: Map<string, TypeSchema>;
  required?: string[];
  additionalProperties?: TypeSchema;
  anyOf?: { type: 'integer' | 'string' }[];
  'x-kubernetes-int-or-string'?: true;
  'x-kubernetes-list-type'?: string;
  'x-kubernetes-list-map-keys'?: string[];
  'x-kubernetes-map-type'?: string;
  'x-kubernetes-preserve-unknown-fields'?: true;
}

/** Alternating names and numbers of nodes. */
type NodesByName = readonly (string | number)[];

/** A schema whose parts are the numbers of other nodes. */
interface Node extends Omit<TypeSchema, 'items' | 'properties' | 'additionalProperties'> {
  items?: number;
  properties?: NodesByName;
  additionalProperties?: number;
}

/** The content of the table, which documents its format. */
interface Table {
  readonly nodes: readonly Node[];
  readonly types: Readonly<Record<string, NodesByName>>;
  readonly missing: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const schemas = new Map<number, TypeSchema>();
let parsed: Table | undefined;

/**
 * The schema of a Kubernetes type as a part of a custom resource: what controller-gen generates for the Go type,
 * with the metadata of embedded objects and without descriptions.
 *
 * @param module such as `core/v1`; `.` for the package itself
 * @param name the name of an exported type, such as `PodTemplateSpec`
 * @returns a shared schema, which must not be changed; undefined for an unknown type
 */
export function typeSchema(module: string, name: string): TypeSchema | undefined {
  const index = pairs(own(table().types, module) ?? []).find(([type]) => type === name)?.[1];
  return index === undefined ? undefined : schemaAt(index);
}

/** The names of the types of a module that have a schema; empty for an unknown module. */
export function typeSchemaNames(module: string): readonly string[] {
  return pairs(own(table().types, module) ?? []).map(([name]) => name);
}

/** The modules whose types have schemas. */
export function typeSchemaModules(): readonly string[] {
  return Object.keys(table().types);
}

/** Why an exported type has no schema; undefined when it has one, or is not exported. */
export function missingTypeSchema(module: string, name: string): string | undefined {
  return own(own(table().missing, module) ?? {}, name);
}

function table(): Table {
  parsed ??= JSON.parse(typeSchemaTable) as Table;
  return parsed;
}

function schemaAt(index: number): TypeSchema {
  let schema = schemas.get(index);
  if (!schema) {
    const { items, properties, additionalProperties, ...rest } = table().nodes[index]!;
    schema = rest;
    if (items !== undefined) schema.items = schemaAt(items);
    if (additionalProperties !== undefined) schema.additionalProperties = schemaAt(additionalProperties);
    if (properties) schema.properties = new Map(pairs(properties).map(([name, at]) => [name, schemaAt(at)]));
    schemas.set(index, schema);
  }
  return schema;
}

function pairs(row: NodesByName): [name: string, node: number][] {
  return Array.from({ length: row.length / 2 }, (_, i) => [row[2 * i] as string, row[2 * i + 1] as number]);
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
