import type { TSIndexSignature, TSPropertySignature, TSSignature, TSType } from 'oxc-parser';
import type { DocComment } from '../tag-syntax/tag.ts';
import { definitionOf } from '../tag-syntax/registry.ts';
import { markConsumed } from '../tag-syntax/tag.ts';
import { fieldLayer, withLayer } from './layer.ts';
import { mapOf } from './map-type.ts';
import { openKeyword } from './open-keyword.ts';
import { allowsUndefined, lazy, placeOf } from './type.ts';
import type { Part, Place, Property, Scope, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';
import { unionOf } from './union-type.ts';

/** What an interface or an object type lists between its braces. */
export interface Members {
  readonly properties: Map<string, Property>;
  /** `[key: string]: T`, which makes the type a map. */
  readonly index?: TSIndexSignature;
  readonly broken: boolean;
}

/** Evaluates `{ a: T; b?: T }` or `{ [key: string]: T }`. */
export function objectType(
  context: TypeContext,
  scope: Scope,
  signatures: readonly TSSignature[],
  at: Place,
): Type | undefined {
  const { properties, index, broken } = readMembers(context, scope, signatures);
  if (index) return indexType(context, scope, index, properties.size > 0, at);
  return { kind: 'object', at, properties, broken };
}

/**
 * Returns the map that an index signature makes of an object.
 * @param hasProperties whether the type also lists properties, which the API server does not allow
 */
export function indexType(
  context: TypeContext,
  scope: Scope,
  index: TSIndexSignature,
  hasProperties: boolean,
  at: Place,
): Type | undefined {
  if (hasProperties) {
    const message = 'an object has either properties or an index signature';
    const hint = 'give the map its own property: Record<string, T>';
    return context.fail(placeOf(scope, index), 'unsupported-member', message, hint);
  }
  const key = index.parameters[0]?.typeAnnotation.typeAnnotation;
  if (key?.type === 'TSStringKeyword') return mapOf(context, scope, index.typeAnnotation.typeAnnotation, at);
  const message = 'the keys of a map can only be string';
  return context.fail(placeOf(scope, key ?? index), 'unsupported-type', message, 'write [key: string]: T');
}

/** Reads members. It visits all of them, so all errors show at once. */
export function readMembers(context: TypeContext, scope: Scope, signatures: readonly TSSignature[]): Members {
  const properties = new Map<string, Property>();
  let index: TSIndexSignature | undefined;
  let broken = false;
  for (const signature of signatures) {
    if (signature.type === 'TSIndexSignature') {
      index = signature;
      continue;
    }
    const name = propertyName(signature);
    if (signature.type !== 'TSPropertySignature' || name === undefined) {
      const message = 'an API type can only have properties with plain names';
      context.fail(placeOf(scope, signature), 'unsupported-member', message, 'leave it out');
      broken = true;
      continue;
    }
    const property = propertyOf(context, scope, signature, name);
    if (properties.has(name))
      context.fail(property.at, 'duplicate-property', `${name} is declared twice`, 'remove one');
    properties.set(name, property);
  }
  return { properties, broken, ...(index ? { index } : {}) };
}

function propertyOf(
  context: TypeContext,
  scope: Scope,
  signature: TSPropertySignature,
  name: string,
): Property {
  const { module } = scope;
  const doc = module.docAt(signature.start);
  const at = placeOf(scope, signature.key);
  const node = signature.typeAnnotation?.typeAnnotation;
  const typeAt = node ? placeOf(scope, node) : at;
  const type = lazy(() => {
    const plain = node
      ? isSchemaless(doc)
        ? schemalessType(node, typeAt)
        : context.reduce(scope, node)
      : context.fail(at, 'unsupported-type', 'the property has no type', 'write one after a colon');
    if (!plain) {
      markConsumed(doc.tags);
      return undefined;
    }
    const isOptional = signature.optional || allowsUndefined(plain);
    return withLayer(plain, fieldLayer(doc, at, context.diagnostics, isOptional));
  });
  const consumeTags = () => {
    const { start, end } = signature;
    markConsumed(doc.tags);
    markConsumed(module.tags.filter(({ span }) => start <= span.start && span.start < end));
  };
  return { name, optional: signature.optional, definite: false, at, typeAt, type, consumeTags };
}

/** Returns whether the schema of a property comes from its tags alone. */
function isSchemaless({ tags }: DocComment): boolean {
  return tags.some((tag) => definitionOf(tag)?.name === 'schemaless');
}

/**
 * Returns what @schemaless keeps of a type, which then does not need a schema: whether the value can be null
 * or missing.
 */
function schemalessType(node: TSType, at: Place): Type {
  const members: Part[] = [{ type: openKeyword('unknown', at), at }];
  for (const { type } of node.type === 'TSUnionType' ? node.types : []) {
    if (type === 'TSNullKeyword') members.push({ type: { kind: 'null', at }, at });
    if (type === 'TSUndefinedKeyword') members.push({ type: { kind: 'undefined', at }, at });
  }
  return unionOf(members, at);
}

function propertyName(signature: TSSignature): string | undefined {
  if (signature.type !== 'TSPropertySignature') return undefined;
  const { key } = signature;
  if (key.type === 'Identifier') return signature.computed ? undefined : key.name;
  if (key.type !== 'Literal') return undefined;
  return typeof key.value === 'string' || typeof key.value === 'number' ? String(key.value) : undefined;
}
