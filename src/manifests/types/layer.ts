import type { Diagnostics } from '../diagnostics/diagnostics.ts';
import type { DocComment } from '../tag-syntax/tag.ts';
import { definitionOf } from '../tag-syntax/registry.ts';
import { excuse } from '../tag-syntax/tag.ts';
import type { Tag } from '../tag-syntax/tag.ts';
import { applyTags } from '../tag-effects/apply-tags.ts';
import { aliasKey } from '../schema/alias.ts';
import { originKey } from '../schema/origin.ts';
import { reportOpenTypes } from './report-open-types.ts';
import type { Schema } from '../schema/schema.ts';
import type { Place, Type } from './type.ts';

/** What is said about a type beside the type itself, and what that does to its schema. */
export interface Layer {
  /** Gives the schema with what the layer adds; the given one is not changed. */
  apply(schema: Schema): Schema;
  /** Whether tags of ours are part of it, so that the type cannot be taken apart without losing them. */
  readonly constrains: boolean;
  /** Keeps its tags from being called useless. */
  dismiss(): void;
  /** What of it holds for types that extend this one; of a field, all. */
  inherited(): Layer | undefined;
}

/**
 * The comment above a property.
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
 * The comment above a declared type.
 * @param name what the type is called, which says all of it; undefined for a generic type
 */
export function typeLayer(
  doc: DocComment,
  at: Place,
  diagnostics: Diagnostics,
  name: string | undefined,
): Layer {
  const layer = docLayer(doc, at, 'type', diagnostics);
  // What the parent is called and said to be is not said about those that extend it.
  const inherited = docLayer({ description: '', tags: doc.tags }, undefined, 'type', diagnostics);
  // The code that takes the type apart decides about its tags.
  excuse(doc.tags.filter((tag) => isFor(tag, 'type')));
  const apply = (schema: Schema): Schema => {
    const applied = layer.apply(schema);
    return name === undefined ? applied : { ...applied, [aliasKey]: { name, schema: applied } };
  };
  const result: Layer = { ...layer, apply, inherited: () => (layer.constrains ? inheritedLayer : undefined) };
  const inheritedLayer: Layer = { ...inherited, inherited: () => inheritedLayer };
  return result;
}

/** What `Foo['bar']` leaves behind of the comment of `bar`: a default belongs to the property and not to its type. */
export const indexed: Layer = {
  apply(schema) {
    const { default: _, example: __, ...rest } = schema;
    return rest;
  },
  constrains: false,
  dismiss() {},
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
    dismiss: () => excuse(tags),
  };
}

function isFor(tag: Tag, placement: 'field' | 'type'): boolean {
  return definitionOf(tag)?.on.includes(placement) ?? false;
}

/** The type with a layer around it. */
export function withLayer(type: Type, layer: Layer): Type {
  return { ...type, inner: type, layer };
}

/** The type without its layers. */
export function baseOf(type: Type): Type {
  return type.inner ? baseOf(type.inner) : type;
}

/** The layers of a type, innermost first. */
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

/** What remains of the layers of a type in those that are made from it. */
export function inheritedLayers(type: Type): Layer[] {
  return layersOf(type)
    .map((layer) => layer.inherited())
    .filter((layer) => layer !== undefined);
}

/** Whether tags say more about the type than its properties or values. */
export function isConstrained(type: Type): boolean {
  return layersOf(type).some((layer) => layer.constrains);
}
