import type { TSUnionType } from 'oxc-parser';
import { isConstrained } from './layer.ts';
import type { Json } from '../schema/schema.ts';
import { placeOf } from './type.ts';
import type { Part, Place, Scope, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';

/** Evaluates `A | B`. */
export function unionType(context: TypeContext, scope: Scope, node: TSUnionType): Type | undefined {
  const members: Part[] = [];
  for (const member of node.types) {
    const type = context.reduce(scope, member);
    if (type) members.push({ type, at: placeOf(scope, member) });
  }
  return unionOf(members, placeOf(scope, node), members.length < node.types.length);
}

/**
 * Returns the union of some types. Nested unions are flattened, except those that tags constrain.
 * @param broken whether the union has more members, which could not be read
 */
export function unionOf(members: readonly Part[], at: Place, broken = false): Type {
  const isBroken = broken || members.some(({ type }) => type.kind === 'union' && type.broken);
  const values = members.filter(({ type }) => type.kind !== 'null' && type.kind !== 'undefined');
  const flat = values.length === 1 ? members : members.flatMap(flatten);
  const distinct = withoutRepeats(flat.filter(({ type }) => type.kind !== 'never'));
  if (isBroken) return { kind: 'union', at, members: distinct, broken: true };
  if (distinct.length === 0) return { kind: 'never', at };
  return distinct.length === 1 ? distinct[0]!.type : { kind: 'union', at, members: distinct, broken: false };
}

/** Returns the members of a union, or the type itself if it is not a union. */
export function membersOf(part: Part): readonly Part[] {
  return part.type.kind === 'union' ? part.type.members : [part];
}

function flatten(part: Part): readonly Part[] {
  return part.type.kind === 'union' && !part.type.broken && isConstrained(part.type)
    ? [part]
    : membersOf(part);
}

/** Removes repeated literals and types, which would double with every union of unions. */
function withoutRepeats(members: readonly Part[]): Part[] {
  const seen = new Set<unknown>();
  return members.filter(({ type }) => {
    const key =
      type.kind === 'literal'
        ? `${typeof type.value} ${type.value}`
        : type.kind === 'null' || type.kind === 'undefined'
          ? type.kind
          : type;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** Returns a union of literals. */
export function literalsType(values: readonly Json[], at: Place): Type {
  const members = values.map((value): Part => {
    const isLiteral = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    return { type: isLiteral ? { kind: 'literal', at, value } : { kind: 'null', at }, at };
  });
  return unionOf(members, at);
}
