import { withLayer } from './layer.ts';
import type { Layer } from './layer.ts';
import type { LazyType, Place, Property, Type } from './type.ts';
import { literalsType } from './union-type.ts';
import type { Schema } from '../schema/schema.ts';

/** Schemas by the types that were created from them. Building such a type returns the same schema. */
const schemas = new WeakMap<Type, Schema>();

/** Creates a type from a schema, for the types of a package. */
export function schemaType(schema: Schema, at: Place): Type {
  const plain = typeOf(schema, at);
  const layer = plain.kind === 'object' ? constraintLayer(schema) : undefined;
  const type = layer ? withLayer(plain, layer) : plain;
  schemas.set(type, schema);
  return type;
}

/** Returns what a schema says about its object as a whole, for the types that extend it. */
function constraintLayer(schema: Schema): Layer | undefined {
  const { type: _, properties: __, required: ___, description: ____, title: _____, ...whole } = schema;
  if (Object.keys(whole).length === 0) return undefined;
  const rules = whole['x-kubernetes-validations'] ?? [];
  const layer: Layer = {
    apply(child) {
      const all = [...rules, ...(child['x-kubernetes-validations'] ?? [])];
      return { ...whole, ...child, ...(all.length > 0 ? { 'x-kubernetes-validations': all } : {}) };
    },
    constrains: true,
    consumeTags() {},
    inherited: () => layer,
  };
  return layer;
}

/** Returns the schema that a type was created from. */
export function knownSchema(type: Type): Schema | undefined {
  return schemas.get(type);
}

function typeOf(schema: Schema, at: Place): Type {
  const { properties, items, additionalProperties, required } = schema;
  if (properties) {
    const entries = [...properties].map(([name, property]): [string, Property] => [
      name,
      {
        name,
        optional: !required?.includes(name),
        definite: false,
        at,
        typeAt: at,
        type: lazySchema(property, at),
        consumeTags() {},
      },
    ]);
    return { kind: 'object', at, properties: new Map(entries), broken: false };
  }
  if (additionalProperties)
    return { kind: 'map', at, values: lazySchema(additionalProperties, at), valuesAt: at };
  if (items) return { kind: 'list', at, isTuple: false, elements: [{ type: lazySchema(items, at), at }] };
  if (schema.enum && Object.keys(schema).length === 2) return literalsType(schema.enum, at);
  return { kind: 'scalar', at, schema };
}

function lazySchema(schema: Schema, at: Place): LazyType {
  let type: Type | undefined;
  return () => (type ??= schemaType(schema, at));
}
