import type { Variant } from './object-union.ts';
import type { Json, Schema } from '../schema/schema.ts';

/** The property whose literals distinguish the objects of a union. */
export interface VariantTag {
  readonly name: string;
  /** The values of each variant. */
  readonly values: readonly (readonly Json[])[];
}

/** Finds the first property that every variant requires with literals that no two variants share. */
export function findTag(variants: readonly Variant[]): VariantTag | undefined {
  for (const name of variants[0]?.properties.keys() ?? []) {
    const values = variants.map((variant) =>
      variant.required.has(name) ? literalsOf(variant.properties.get(name)) : undefined,
    );
    if (!values.every((literals) => literals !== undefined)) continue;
    const all = values.flat();
    if (new Set(all).size === all.length) return { name, values };
  }
  return undefined;
}

function literalsOf(schema: Schema | undefined): readonly Json[] | undefined {
  if (!schema?.enum || schema.nullable) return undefined;
  const canDistinguish = schema.type === 'string' || schema.type === 'integer' || schema.type === 'boolean';
  return canDistinguish ? schema.enum : undefined;
}
