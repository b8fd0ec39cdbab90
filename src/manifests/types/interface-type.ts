import type { TSIndexSignature, TSInterfaceDeclaration, TSInterfaceHeritage } from 'oxc-parser';
import type { TypeDeclaration } from '../source/module.ts';
import { unifyProperties } from './unify-properties.ts';
import { inheritedLayers, withLayers } from './layer.ts';
import type { Layer } from './layer.ts';
import { indexType, readMembers } from './object-type.ts';
import { reduceNamed } from './reference-type.ts';
import { placeOf } from './type.ts';
import type { ObjectType, Place, Property, Scope, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';

/** Evaluates an interface. Its own properties, from all of its parts, override those of its parents. */
export function interfaceType(
  context: TypeContext,
  scope: Scope,
  { parts, nameSpan }: TypeDeclaration,
  node: TSInterfaceDeclaration,
): Type | undefined {
  const at = placeOf(scope, nameSpan);
  const own = new Map<string, Property>();
  let index: TSIndexSignature | undefined;
  let broken = false;
  for (const part of [node, ...parts]) {
    const members = readMembers(context, scope, part.body.body);
    index = members.index ?? index;
    broken ||= members.broken;
    for (const [name, property] of members.properties) {
      const earlier = own.get(name);
      own.set(name, earlier ? unifyProperties(context, earlier, property) : property);
    }
  }
  const parents = [node, ...parts].flatMap((part) => part.extends);
  if (index) return indexType(context, scope, index, own.size + parents.length > 0, at);

  const properties = new Map<string, Property>();
  const layers: Layer[] = [];
  let kindAt: Place | undefined;
  for (const heritage of parents) {
    const parent = parentType(context, scope, heritage);
    if (!parent) {
      broken = true;
      continue;
    }
    broken ||= parent.broken;
    kindAt ??= parent.kindAt;
    layers.push(...inheritedLayers(parent));
    for (const [name, property] of parent.properties) {
      const earlier = properties.get(name);
      if (own.has(name)) property.consumeTags();
      else properties.set(name, earlier ? unifyProperties(context, earlier, property) : property);
    }
  }
  const all = new Map([...properties, ...own]);
  const type: ObjectType = { kind: 'object', at, properties: all, broken, ...(kindAt ? { kindAt } : {}) };
  return withLayers(type, layers);
}

function parentType(
  context: TypeContext,
  scope: Scope,
  { expression, typeArguments, start, end }: TSInterfaceHeritage,
): ObjectType | undefined {
  const name = scope.module.source.text.slice(expression.start, expression.end);
  const at = placeOf(scope, { start, end });
  const parent = reduceNamed(context, scope, name, typeArguments, at);
  if (!parent || parent.kind === 'object') return parent;
  return context.fail(at, 'unknown-type', `${name} has no properties to extend`, 'extend an interface');
}
