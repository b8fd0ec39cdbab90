import type { TSIntersectionType } from 'oxc-parser';
import { baseOf, inheritedLayers, layersOf, withLayers } from './layer.ts';
import { lazy, placeOf } from './type.ts';
import type { ObjectType, Part, Place, Property, Scope, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';
import { membersOf, unionOf } from './union-type.ts';
import { originOf, writtenPlace } from '../schema/origin.ts';

/** The maximum number of combinations of union members. A type with more is hard to read. */
const maxCombinations = 200;

/** Evaluates `A & B`. */
export function intersectionType(
  context: TypeContext,
  scope: Scope,
  node: TSIntersectionType,
): Type | undefined {
  const at = placeOf(scope, node);
  const isLiteral = ({ type }: (typeof node.types)[number]) => type === 'TSTypeLiteral';
  // The object of a brand, string & { __brand: 'Name' }, exists only for the compiler. Skip it.
  const named = reduceParts(
    context,
    scope,
    node.types.filter((type) => !isLiteral(type)),
  );
  const isBrand = named.parts.some(({ type }) => isPrimitive(type));
  const objects = isBrand
    ? { parts: [], broken: false }
    : reduceParts(context, scope, node.types.filter(isLiteral));
  const parts = [...named.parts, ...objects.parts].toSorted((a, b) => a.at.span.start - b.at.span.start);
  const broken = named.broken || objects.broken;
  const [first, ...rest] = parts;
  if (!first) return undefined;
  let result: Part | undefined = first;
  for (const part of rest) {
    const type: Type | undefined = result && intersect(context, result, part, at);
    result = type && { type, at };
  }
  if (!broken || !result) return result?.type;
  const { type } = result;
  return type.kind === 'object' ? { kind: 'object', at, properties: type.properties, broken } : undefined;
}

function reduceParts(
  context: TypeContext,
  scope: Scope,
  nodes: TSIntersectionType['types'],
): { parts: Part[]; broken: boolean } {
  const parts: Part[] = [];
  for (const node of nodes) {
    const type = context.reduce(scope, node);
    if (type) parts.push({ type, at: placeOf(scope, node) });
  }
  return { parts, broken: parts.length < nodes.length };
}

function isPrimitive({ kind }: Type): boolean {
  return kind === 'scalar' || kind === 'number' || kind === 'literal' || kind === 'pattern';
}

/** Returns the type of the values that two types both allow. */
function intersect(context: TypeContext, a: Part, b: Part, at: Place): Type | undefined {
  const [left, right] = [membersOf(a), membersOf(b)];
  if (left.length === 1 && right.length === 1) return intersectMembers(context, a, b, at);
  if (left.length * right.length > maxCombinations && !areLiterals(left) && !areLiterals(right)) {
    const message = `the unions of this intersection have more than ${maxCombinations} combinations`;
    return context.fail(at, 'unsupported-type', message, 'write an interface with optional properties');
  }
  const results: Part[] = [];
  for (const one of left) {
    for (const other of right) {
      const type = intersectMembers(context, one, other, one.at);
      if (!type) return undefined;
      results.push({ type, at: one.at });
    }
  }
  const layers = [a.type, b.type].flatMap((type) => (type.kind === 'union' ? inheritedLayers(type) : []));
  return withLayers(unionOf(results, at), layers);
}

function areLiterals(parts: readonly Part[]): boolean {
  return parts.every(({ type }) => type.kind === 'literal');
}

function intersectMembers(context: TypeContext, a: Part, b: Part, at: Place): Type | undefined {
  const [left, right] = [a.type, b.type];
  if (left === right) return left;
  // unknown & T is T. So is object & T if T is an object.
  if (right.kind === 'open') return withLayers(left, layersOf(right));
  if (left.kind === 'open') return withLayers(right, layersOf(left));
  if (left.kind === 'never' || right.kind === 'never') return { kind: 'never', at };
  if (left.kind === 'object' && right.kind === 'object') return mergeObjects(context, left, right, at);
  // A brand: a JSON value of this type is always the primitive.
  if (isPrimitive(left) && right.kind === 'object') return left;
  if (isPrimitive(right) && left.kind === 'object') return right;
  const names = [nameOf(left), nameOf(right)];
  if (names[0] !== undefined && names[1] !== undefined) {
    if (names[0] !== names[1]) return { kind: 'never', at };
    if (left.kind === 'literal' && right.kind === 'literal')
      return left.value === right.value ? left : { kind: 'never', at };
    if (left.kind === 'null' || left.kind === 'undefined') return left;
    if (left.kind === 'number') return withLayers(right, layersOf(left));
    if (right.kind === 'number') return withLayers(left, layersOf(right));
    if (left.kind === 'literal' && isPlain(right)) return left;
    if (right.kind === 'literal' && isPlain(left)) return right;
  }
  return { kind: 'intersection', at, parts: [a, b] };
}

/** Returns whether a type allows all values of its primitive type. */
function isPlain(type: Type): boolean {
  return type.kind === 'scalar' && !type.layer && Object.keys(type.schema).join() === 'type';
}

/**
 * Returns the name of a primitive type, or undefined if only the schemas can tell what two types have in
 * common.
 */
function nameOf(type: Type): string | undefined {
  if (type.kind === 'literal') return typeof type.value;
  if (type.kind === 'number' || type.kind === 'null' || type.kind === 'undefined') return type.kind;
  if (type.kind === 'pattern') return 'string';
  const name = type.kind === 'scalar' ? type.schema.type : 'object';
  return name === 'integer' ? 'number' : name;
}

/** Merged objects by their two parts. Without it, shared types would be merged once for each path to them. */
const merged = new WeakMap<Type, WeakMap<Type, ObjectType>>();

function mergeObjects(context: TypeContext, a: ObjectType, b: ObjectType, at: Place): Type {
  const [left, right] = [baseOf(a), baseOf(b)];
  const known = merged.get(left) ?? new WeakMap<Type, ObjectType>();
  merged.set(left, known);
  let result = known.get(right);
  if (!result) known.set(right, (result = mergeBases(context, a, b, at)));
  return withLayers(result, [...inheritedLayers(a), ...inheritedLayers(b)]);
}

function mergeBases(context: TypeContext, a: ObjectType, b: ObjectType, at: Place): ObjectType {
  const properties = new Map(a.properties);
  for (const [name, property] of b.properties) {
    const other = properties.get(name);
    properties.set(name, other ? mergeProperties(context, other, property, at) : property);
  }
  const kindAt = a.kindAt ?? b.kindAt;
  return { kind: 'object', at, properties, broken: a.broken || b.broken, ...(kindAt ? { kindAt } : {}) };
}

/** Merges a property that both sides of an intersection declare. Its value must fit both types. */
function mergeProperties(context: TypeContext, a: Property, b: Property, at: Place): Property {
  if (a === b) return a;
  const type = lazy(() => {
    const [left, right] = [a.type(), b.type()];
    const both =
      left && right && intersect(context, { type: left, at: a.typeAt }, { type: right, at: b.typeAt }, at);
    if (!both || !left || !right) return undefined;
    if (both.kind === 'never' && left.kind !== 'never' && right.kind !== 'never') {
      const there = writtenPlace(originOf(a.typeAt), b.typeAt.module.source);
      const reason = `no value of ${b.name} fits both this type and the one at ${there}`;
      return { ...both, at, reason };
    }
    return both;
  });
  const consumeTags = () => {
    a.consumeTags();
    b.consumeTags();
  };
  return {
    name: b.name,
    optional: a.optional && b.optional,
    definite: a.definite || b.definite,
    at: b.at,
    typeAt: b.typeAt,
    type,
    consumeTags,
  };
}
