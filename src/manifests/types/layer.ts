import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { DocComment } from '../tag-syntax/tag.ts';
import { definitionOf } from '../tag-syntax/registry.ts';
import { markConsumed } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { applyTags } from '../schema-tags/apply-tags.ts';
import { aliasKey } from '../schema/alias.ts';
import { originKey } from '../schema/origin.ts';
import { reportOpenTypes } from './report-open-types.ts';
import type { Schema } from '../schema/schema.ts';
import type { Place, Type } from './type.ts';

/** What a comment or tag says about a type beside the type itself, and its effect on the schema. */
export interface Layer {
  /** Returns the schema with this layer applied. The argument is not changed. */
  apply(schema: Schema): Schema;
  /** Whether the layer has ots tags, which would be lost if the type were taken apart. */
  readonly constrains: boolean;
  /** Marks the layer's tags as consumed, so they are not reported as unused. */
  consumeTags(): void;
  /** Returns the part that also applies to types that extend this one. For a field, that is all of it. */
  inherited(): Layer | undefined;
}

/**
 * Creates a layer from the comment above a property.
 * @param optional whether the property can be missing
 */
export function fieldLayer(doc: DocComment, at: Place, diagnostics: Diagnostics, optional: boolean): Layer {
  const layer: Layer = {
    ...docLayer(doc, at, 'field', diagnostics, optional),
    inherited: () => layer,
  };
  return layer;
}

/**
 * Creates a layer from the comment above a declared type.
 * @param name the name of the type, which describes it completely; undefined for a generic type
 */
export function typeLayer(
  doc: DocComment,
  at: Place,
  diagnostics: Diagnostics,
  name: string | undefined,
): Layer {
  const layer = docLayer(doc, at, 'type', diagnostics);
  // Types that extend this one do not inherit its name and description.
  const inherited = docLayer({ description: '', tags: doc.tags }, undefined, 'type', diagnostics);
  // The code that takes the type apart is responsible for its tags.
  markConsumed(doc.tags.filter((tag) => isFor(tag, 'type')));
  const apply = (schema: Schema): Schema => {
    const applied = layer.apply(schema);
    return name === undefined ? applied : { ...applied, [aliasKey]: { name, schema: applied } };
  };
  const result: Layer = { ...layer, apply, inherited: () => (layer.constrains ? inheritedLayer : undefined) };
  const inheritedLayer: Layer = { ...inherited, inherited: () => inheritedLayer };
  return result;
}

/** What `Foo['bar']` keeps of the comment of `bar`. A default belongs to the property, not to its type. */
export const indexed: Layer = {
  apply(schema) {
    const { default: _, example: __, ...rest } = schema;
    return rest;
  },
  constrains: false,
  consumeTags() {},
  inherited: () => undefined,
};

function docLayer(
  { description, tags }: DocComment,
  at: Place | undefined,
  placement: 'field' | 'type',
  diagnostics: Diagnostics,
  optional = false,
): Omit<Layer, 'inherited'> {
  return {
    apply(schema) {
      const described = description ? { ...schema, description } : { ...schema };
      if (at) described[originKey] = { source: at.module.source, span: at.span };
      const tagged = applyTags(described, tags, placement, diagnostics, optional);
      return placement === 'field' ? reportOpenTypes(tagged, diagnostics) : tagged;
    },
    constrains: tags.some((tag) => isFor(tag, placement)),
    consumeTags: () => markConsumed(tags),
  };
}

function isFor(tag: Tag, placement: 'field' | 'type'): boolean {
  return definitionOf(tag)?.on.includes(placement) ?? false;
}

/** Returns the type with a layer around it. */
export function withLayer(type: Type, layer: Layer): Type {
  return { ...type, inner: type, layer };
}

/** Returns the type without its layers. */
export function baseOf(type: Type): Type {
  return type.inner ? baseOf(type.inner) : type;
}

/** Returns the layers of a type, innermost first. */
export function layersOf(type: Type): Layer[] {
  const layers: Layer[] = [];
  for (let current: Type | undefined = type; current; current = current.inner)
    if (current.layer) layers.unshift(current.layer);
  return layers;
}

/** Puts layers around another type. */
export function withLayers(type: Type, layers: readonly Layer[]): Type {
  return layers.reduce((inner, layer) => withLayer(inner, layer), type);
}

/** Returns what types derived from this one keep of its layers. */
export function inheritedLayers(type: Type): Layer[] {
  return layersOf(type)
    .map((layer) => layer.inherited())
    .filter((layer) => layer !== undefined);
}

/** Returns whether tags add constraints to the type's properties or values. */
export function isConstrained(type: Type): boolean {
  return layersOf(type).some((layer) => layer.constrains);
}
