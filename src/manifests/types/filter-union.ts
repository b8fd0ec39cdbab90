import type { TSType } from 'oxc-parser';
import { describeNode } from './describe-node.ts';
import { layersOf, withLayers } from './layer.ts';
import { placeOf } from './type.ts';
import type { ObjectType, Place, Scope, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';
import { membersOf, unionOf } from './union-type.ts';

/**
 * Evaluates `Exclude<T, U>`, `Extract<T, U>` or `NonNullable<T>`: the members of a union that do not, or do,
 * fit another type.
 */
export function filterUnion(
  name: 'Exclude' | 'Extract' | 'NonNullable',
  context: TypeContext,
  scope: Scope,
  [operand, filter]: readonly TSType[],
  at: Place,
): Type | undefined {
  const type = context.reduce(scope, operand!);
  const target = filter && context.reduce(scope, filter);
  if (!type || (filter && !target)) return undefined;
  const members = membersOf({ type, at: placeOf(scope, operand!) });
  const kept = [];
  for (const member of members) {
    const fits = target
      ? isAssignable(member.type, target)
      : member.type.kind === 'null' || member.type.kind === 'undefined';
    if (fits === undefined) {
      const message = `${name} cannot tell which members of ${describeNode(scope, operand!)} are meant`;
      const hint = 'use it with literals, or write the members that are left';
      return context.fail(at, 'unsupported-type', message, hint);
    }
    if (fits === (name === 'Extract')) kept.push(member);
  }
  if (type.kind !== 'union') return kept.length > 0 ? type : { kind: 'never', at };
  // The comment of a declared union also applies to a subset of its members.
  return withLayers(unionOf(kept, at, type.broken), layersOf(type));
}

/**
 * Returns whether TypeScript would assign one type to another, or undefined if that cannot be decided here.
 */
function isAssignable(type: Type, target: Type): boolean | undefined {
  if (target.kind === 'union') {
    const answers = target.members.map((member) => isAssignable(type, member.type));
    return answers.includes(true) ? true : answers.includes(undefined) ? undefined : false;
  }
  if (type.kind === 'union') {
    const answers = type.members.map((member) => isAssignable(member.type, target));
    return answers.includes(false) ? false : answers.includes(undefined) ? undefined : true;
  }
  if (target.kind === 'object') return type.kind === 'object' ? hasProperties(type, target) : false;
  const [from, to] = [primitiveOf(type), primitiveOf(target)];
  if (from === undefined || to === undefined) return undefined;
  if (target.kind === 'literal') return type.kind === 'literal' && type.value === target.value;
  return from === to;
}

/** Returns whether an object has the properties of another, such as `{ type: 'S3' }`. */
function hasProperties(type: ObjectType, target: ObjectType): boolean | undefined {
  let isKnown = true;
  for (const [name, wanted] of target.properties) {
    const property = type.properties.get(name);
    if (!property) {
      if (wanted.optional) continue;
      return false;
    }
    const [from, to] = [property.type(), wanted.type()];
    const answer = from && to && isAssignable(from, to);
    if (answer === false || (property.optional && !wanted.optional)) return false;
    isKnown &&= answer === true;
  }
  return isKnown ? true : undefined;
}

/** Returns the `typeof` result for the values of a type, or undefined for an object. */
function primitiveOf(type: Type): string | undefined {
  switch (type.kind) {
    case 'literal':
      return typeof type.value;
    case 'number':
    case 'null':
    case 'undefined':
      return type.kind;
    case 'pattern':
      return 'string';
    case 'object':
    case 'map':
    case 'list':
      return 'object';
    case 'scalar': {
      const name = type.schema.type;
      return name === 'integer' ? 'number' : name === 'string' || name === 'boolean' ? name : undefined;
    }
    default:
      return undefined;
  }
}
