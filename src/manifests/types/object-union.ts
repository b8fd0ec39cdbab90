import { escapeProperty } from 'ots-cel';
import { findTag } from './find-tag.ts';
import type { VariantTag } from './find-tag.ts';
import { originKey } from '../schema/origin.ts';
import { sameSchema } from '../schema/same-schema.ts';
import type { Schema, ValidationRule } from '../schema/schema.ts';
import type { Part, Place } from './type.ts';
import type { TypeContext } from './type-context.ts';
import { variantRules } from './variant-rules.ts';
import { originOf, writtenPlace } from '../schema/origin.ts';

/** One of the objects of a union. */
export interface Variant {
  readonly properties: ReadonlyMap<string, Schema>;
  readonly required: ReadonlySet<string>;
  readonly at: Place;
}

/**
 * Builds the schema of a union of objects: one object with the properties of all of them, and rules for which
 * properties belong together. With oneOf, the API server would name the wrong variant if a value fits none.
 */
export function objectUnion(context: TypeContext, members: readonly Part[], at: Place): Schema | undefined {
  const variants: Variant[] = [];
  for (const member of members) {
    const variant = readVariant(context, member);
    if (variant) variants.push(variant);
  }
  if (variants.length < members.length) return undefined;
  const tag = findTag(variants);
  const properties = mergeProperties(context, variants, tag, at);
  if (!properties || !checkNames(context, variants, properties, at)) return undefined;
  const rules = variantRules(variants, properties, tag);
  if (!rules) {
    const hint = `give each its own literal in a common property, such as type: 'A'`;
    return context.fail(at, 'unsupported-union', 'the objects of this union cannot be distinguished', hint);
  }
  const required = [...properties.keys()].filter((name) =>
    variants.every((variant) => variant.required.has(name)),
  );
  const origin = { ...originOf(at), spanOf: () => at.span };
  const validations = rules.map((rule): ValidationRule => ({ ...rule, [originKey]: origin }));
  return {
    type: 'object',
    properties,
    ...(required.length > 0 ? { required: required.toSorted() } : {}),
    ...(validations.length > 0 ? { 'x-kubernetes-validations': validations } : {}),
  };
}

function readVariant(context: TypeContext, { type, at }: Part): Variant | undefined {
  const schema = context.build(type, at);
  if (!schema) return undefined;
  const { type: _, properties, required, description: __, title: ___, externalDocs: ____, ...rest } = schema;
  const [extra] = Object.keys(rest);
  if (extra === undefined && properties) return { properties, required: new Set(required), at };
  const message = `${extra} of this type would hold for the other objects of the union too`;
  const hint = 'put the tag on the union, or on a property';
  return context.fail(at, 'unsupported-union', message, hint);
}

/**
 * Merges the properties of all variants. If several variants have a property, its schemas must be the same
 * except for their literals.
 */
function mergeProperties(
  context: TypeContext,
  variants: readonly Variant[],
  tag: VariantTag | undefined,
  at: Place,
): Map<string, Schema> | undefined {
  const merged = new Map<string, Schema>();
  let failed = false;
  for (const { properties } of variants) {
    for (const [name, schema] of properties) {
      const earlier = merged.get(name);
      const both =
        earlier && (name === tag?.name ? withValues(earlier, schema) : unifySchemas(earlier, schema));
      if (earlier && !both) {
        failed = true;
        failProperty(context, name, earlier, schema, at);
      } else {
        merged.set(name, both ?? schema);
      }
    }
  }
  return failed ? undefined : merged;
}

/**
 * Returns one schema for two variants. The schemas must be the same except for documentation and the values
 * they list.
 */
function unifySchemas(a: Schema, b: Schema): Schema | undefined {
  if (sameSchema(a, b)) return a.description || !b.description ? a : { ...a, description: b.description };
  const { enum: _, ...left } = a;
  const { enum: __, ...right } = b;
  return a.enum && b.enum && sameSchema(left, right) ? withValues(a, b) : undefined;
}

function withValues(a: Schema, b: Schema): Schema | undefined {
  if (a.type !== b.type || !a.enum || !b.enum) return undefined;
  const values = [...new Set([...a.enum, ...b.enum])];
  const { enum: _, ...rest } = { ...b, ...a };
  const isAny = a.type === 'boolean' && values.includes(true) && values.includes(false);
  return isAny ? rest : { ...rest, enum: values };
}

function failProperty(context: TypeContext, name: string, a: Schema, b: Schema, at: Place): void {
  const here = b[originKey] ?? originOf(at);
  const there = a[originKey] ? ` at ${writtenPlace(a[originKey], here.source)}` : '';
  const message = `${name} has another type in another object of the union${there}`;
  const hint = 'give the properties different names, or the same type';
  context.diagnostics.error(here.source, here.span, 'unsupported-union', message, hint);
}

/**
 * Checks that the rules can refer to each property by name, and that no property has a default, which would
 * set it in every variant.
 */
function checkNames(
  context: TypeContext,
  variants: readonly Variant[],
  properties: ReadonlyMap<string, Schema>,
  at: Place,
): boolean {
  let isFine = true;
  for (const [name, schema] of properties) {
    if (variants.every((variant) => variant.properties.has(name))) continue;
    const { source, span } = schema[originKey] ?? originOf(at);
    const [message, hint] =
      escapeProperty(name) === undefined
        ? [`${name} cannot be named in the rules of a union`, 'use letters, digits, _ and -']
        : schema.default !== undefined
          ? [`the default of ${name} would set it in every object of the union`, 'remove @default']
          : [];
    if (message === undefined) continue;
    isFine = false;
    context.diagnostics.error(source, span, 'unsupported-union', message, hint);
  }
  return isFine;
}
