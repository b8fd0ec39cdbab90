import { buildUnion } from './build-union.ts';
import { mergeSchemas } from '../schema/merge-schemas.ts';
import { openKey } from '../schema/open-type.ts';
import type { OpenType } from '../schema/open-type.ts';
import { sameSchema } from '../schema/same-schema.ts';
import type { Schema } from '../schema/schema.ts';
import { allowsUndefined } from './type.ts';
import type { IntersectionType, ListType, MapType, ObjectType, Place, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';
import { adviceForSyntax } from './unsupported-types.ts';
import { originOf, writtenPlace } from '../schema/origin.ts';

/** Builds the schema of a type, without what comments say about it. */
export function buildType(context: TypeContext, type: Type, at: Place): Schema | undefined {
  switch (type.kind) {
    case 'scalar':
      return type.schema;
    case 'literal':
      return { type: literalTypeName(type.value), enum: [type.value] };
    case 'pattern':
      return { type: 'string', pattern: `^${type.regex}$` };
    case 'open':
      return { ...(type.isObject ? { type: 'object' as const } : {}), [openKey]: type.open };
    case 'object': {
      if (!type.kindAt) return buildProperties(context, type);
      const hint = 'refer to the other object by its name, or declare a type for its spec and embed that';
      return context.fail(type.kindAt, 'embedded-kind', 'a kind cannot be part of another type', hint);
    }
    case 'map':
      return buildMap(context, type);
    case 'list':
      return type.isTuple ? buildTuple(context, type) : buildList(context, type);
    case 'union':
      return buildUnion(context, type);
    case 'intersection':
      return buildIntersection(context, type);
    case 'never':
      if (type.reason !== undefined) {
        const hint = 'remove one of them, or give them types with common values';
        return context.fail(at, 'type-conflict', type.reason, hint);
      }
      return failKeyword(context, 'TSNeverKeyword', type.at);
    case 'number':
      return failKeyword(context, 'TSNumberKeyword', type.at);
    case 'null':
      return failKeyword(context, 'TSNullKeyword', type.at);
    default:
      return failKeyword(context, 'TSUndefinedKeyword', type.at);
  }
}

function failKeyword(context: TypeContext, syntax: string, at: Place): undefined {
  const { message, hint } = adviceForSyntax(syntax);
  return context.fail(at, 'unsupported-type', message, hint);
}

function literalTypeName(value: string | number | boolean): NonNullable<Schema['type']> {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'integer' : 'number';
  return typeof value === 'string' ? 'string' : 'boolean';
}

/** Builds an object's schema from its properties. It visits all of them, so all errors show at once. */
export function buildProperties(context: TypeContext, type: ObjectType): Schema | undefined {
  const properties = new Map<string, Schema>();
  const required: string[] = [];
  let { broken } = type;
  for (const property of type.properties.values()) {
    const propertyType = property.type();
    // `b?: never` says that a variant of a union does not have the property.
    if (propertyType?.kind === 'never' && propertyType.reason === undefined && property.optional) {
      property.consumeTags();
      continue;
    }
    const schema = propertyType && context.build(propertyType, property.typeAt);
    if (schema) properties.set(property.name, schema);
    else broken = true;
    const isOptional =
      property.optional || (!property.definite && propertyType && allowsUndefined(propertyType));
    if (!isOptional) required.push(property.name);
  }
  if (broken) return undefined;
  return { type: 'object', properties, ...(required.length > 0 ? { required: required.toSorted() } : {}) };
}

function buildMap(context: TypeContext, type: MapType): Schema | undefined {
  const valueType = type.values();
  const values = valueType && context.build(valueType, type.valuesAt);
  const open = values?.[openKey];
  // As a map, it would lose what is nested in its values. As a free-form object, it keeps them.
  return open
    ? { type: 'object', [openKey]: open }
    : values && { type: 'object', additionalProperties: values };
}

function buildList(context: TypeContext, { elements }: ListType): Schema | undefined {
  const [element] = elements;
  const type = element?.type();
  const items = type && element && context.build(type, element.at);
  const open = items?.[openKey];
  return items && { type: 'array', items: open ? { ...items, [openKey]: forItems(open) } : items };
}

/** The tags of a property describe the list. The tags for its items have their own names. */
function forItems(open: OpenType): OpenType {
  return { ...open, hint: open.hint.replace('@', '@items.') };
}

function buildTuple(context: TypeContext, { elements, minItems, maxItems }: ListType): Schema | undefined {
  let items: Schema | undefined;
  let failed = false;
  for (const { type: lazyType, at } of elements) {
    const type = lazyType();
    const schema = type && context.build(type, at);
    failed ||= !schema;
    if (items && schema && !sameSchema(items, schema)) {
      const hint = 'write an object with named properties';
      return context.fail(at, 'unsupported-type', 'the elements of a tuple must all have one type', hint);
    }
    items ??= schema;
  }
  if (failed || !items) return undefined;
  return {
    type: 'array',
    items,
    ...(minItems ? { minItems } : {}),
    ...(maxItems === undefined ? {} : { maxItems }),
  };
}

function buildIntersection(
  context: TypeContext,
  { parts: [first, ...rest] }: IntersectionType,
): Schema | undefined {
  let result = first && context.build(first.type, first.at);
  for (const part of rest) {
    const schema = context.build(part.type, part.at);
    const merged: Schema | string | undefined = result && schema && mergeSchemas(result, schema);
    if (typeof merged === 'string') {
      const there = writtenPlace(originOf(first!.at), part.at.module.source);
      const hint = 'remove one of them, or give them types with common values';
      return context.fail(part.at, 'type-conflict', `${merged} (this type and the one at ${there})`, hint);
    }
    result = merged;
  }
  return result;
}
