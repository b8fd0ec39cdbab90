import { escapeProperty } from '../escape-property.ts';
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  stringType,
  struct,
  timestampType,
} from '../types/cel-type.ts';
import {
  dateSize,
  maxString,
  maxTime,
  maxEntriesOf,
  maxItemsOf,
  minBool,
  minContainer,
  minDateTime,
  minDuration,
  minNumber,
  minString,
} from './request-limits.ts';
import { type StructuralSchema, valuesOf } from './structural-schema.ts';

export type BoundKeyword = 'maxItems' | 'maxProperties' | 'maxLength';

/** A schema node as rules see it. */
export interface SchemaType {
  readonly type: CelType;
  /** The maximum number of characters (times 4, in bytes), items or entries; 0 for values without a size. */
  readonly maxElements: bigint;
  /** The minimum size of its JSON, in bytes. */
  readonly minSize: number;
  /** The missing keyword that would bound `maxElements`. */
  readonly unbounded?: BoundKeyword;
  /** The fields of an object, by their names in rules. */
  readonly fields?: ReadonlyMap<string, SchemaType>;
  /** The keys of a map. */
  readonly keys?: SchemaType;
  /** The items of a list or the values of a map. */
  readonly elements?: SchemaType;
}

const keyType: SchemaType = { type: stringType, maxElements: 0n, minSize: minString };

/**
 * The type of a schema node in rules, by the API server's logic (`k8s.io/apiserver/pkg/cel/common/schemas.go`).
 *
 * @param schema the node
 * @param isResource whether it is the root of a custom resource or of an embedded one: there rules see
 *   `apiVersion`, `kind`, `metadata.name` and `metadata.generateName`, whatever the schema says
 * @param name distinguishes the types of objects
 * @returns undefined for nodes that rules do not see, such as fields without a type
 */
export function schemaType(
  schema: StructuralSchema,
  isResource: boolean,
  name: string,
): SchemaType | undefined {
  if (schema['x-kubernetes-int-or-string']) return { type: dynType, minSize: 1, ...maxLength(schema) };
  const seen = isResource ? withTypeAndName(schema) : schema;
  switch (seen.type) {
    case 'array':
      return listType(seen, name);
    case 'object':
      return valuesOf(seen) ? mapType(seen, name) : objectType(seen, name);
    case 'string':
      return stringSchemaType(seen);
    case 'boolean':
      return { type: boolType, maxElements: 0n, minSize: minBool };
    case 'number':
      return { type: doubleType, maxElements: 0n, minSize: minNumber };
    case 'integer':
      return { type: intType, maxElements: 0n, minSize: minNumber };
    default:
      return undefined;
  }
}

function withTypeAndName(schema: StructuralSchema): StructuralSchema {
  const string = { type: 'string' };
  const metadata = { type: 'object', properties: { name: string, generateName: string } };
  const own = schema.properties?.['metadata'];
  const complete =
    schema.properties?.['kind']?.type === 'string' &&
    schema.properties['apiVersion']?.type === 'string' &&
    own?.type === 'object' &&
    own.properties?.['name']?.type === 'string' &&
    own.properties['generateName']?.type === 'string';
  if (complete) return schema;
  return { ...schema, properties: { ...schema.properties, kind: string, apiVersion: string, metadata } };
}

function listType(schema: StructuralSchema, name: string): SchemaType | undefined {
  const elements = schema.items && elementType(schema.items, `${name}.@idx`);
  if (!elements) return undefined;
  return {
    type: listOf(elements.type),
    minSize: minContainer,
    elements,
    ...bound(schema, 'maxItems', maxItemsOf(elements.minSize)),
  };
}

function mapType(schema: StructuralSchema, name: string): SchemaType | undefined {
  const elements = elementType(valuesOf(schema)!, `${name}.@elem`);
  if (!elements) return undefined;
  const size = bound(schema, 'maxProperties', maxEntriesOf(elements.minSize));
  return { type: mapOf(stringType, elements.type), minSize: minContainer, keys: keyType, elements, ...size };
}

function elementType(schema: StructuralSchema, name: string): SchemaType | undefined {
  return schemaType(schema, schema['x-kubernetes-embedded-resource'] === true, name);
}

/** The JSON of an object has at least its required properties, except those with a default, which the API server adds. */
function objectType(schema: StructuralSchema, name: string): SchemaType {
  const required = new Set(schema.required);
  const fields = new Map<string, SchemaType>();
  const types = new Map<string, CelType>();
  let minSize = minContainer;
  for (const [property, value] of Object.entries(schema.properties ?? {})) {
    const escaped = escapeProperty(property);
    const field = elementType(value, `${name}.${escaped}`);
    if (!field) continue;
    if (escaped !== undefined) {
      fields.set(escaped, field);
      types.set(escaped, field.type);
    }
    if (required.has(property) && (value.default === undefined || value.default === null)) {
      minSize += Buffer.byteLength(property) + field.minSize + 4;
    }
  }
  return { type: struct(name, types), maxElements: 0n, minSize, fields };
}

function stringSchemaType(schema: StructuralSchema): SchemaType {
  switch (schema.format) {
    case 'byte':
      return { type: bytesType, minSize: minString, ...bound(schema, 'maxLength', maxString) };
    case 'duration':
      return { type: durationType, maxElements: BigInt(maxTime), minSize: minDuration };
    case 'date':
      return { type: timestampType, maxElements: BigInt(dateSize), minSize: dateSize };
    case 'date-time':
      return { type: timestampType, maxElements: BigInt(maxTime), minSize: minDateTime };
    default:
      return { type: stringType, minSize: minString, ...maxLength(schema) };
  }
}

type Bound = Pick<SchemaType, 'maxElements' | 'unbounded'>;

/** In bytes: a character may take four. An enum also bounds a string, except for int-or-string. */
function maxLength(schema: StructuralSchema): Bound {
  if (schema.maxLength !== undefined)
    return { maxElements: BigInt.asUintN(64, bound(schema, 'maxLength', 0).maxElements * 4n) };
  if (schema['x-kubernetes-int-or-string'] || !schema.enum?.length)
    return bound(schema, 'maxLength', maxString);
  const lengths = schema.enum.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0));
  return { maxElements: BigInt(lengths.reduce((most, length) => Math.max(most, length))) };
}

function bound(schema: StructuralSchema, keyword: BoundKeyword, otherwise: number): Bound {
  const limit = schema[keyword];
  if (limit === undefined) return { maxElements: BigInt(otherwise), unbounded: keyword };
  return { maxElements: BigInt(Math.max(0, Math.trunc(limit))) };
}
