import type { TSIndexedAccessType } from 'oxc-parser';
import { closestName } from 'ots-apimachinery/closest-name';
import { describeNode } from './describe-node.ts';
import { consumePropertyTags } from './consume-property-tags.ts';
import { indexed, withLayer } from './layer.ts';
import { placeOf } from './type.ts';
import type { ListType, Part, Place, Property, Scope, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';
import { membersOf, unionOf } from './union-type.ts';

/** Evaluates `T['a']`, `T['a' | 'b']`, `T[keyof T]`, `LIST[number]` or `MAP[string]`. */
export function indexedAccessType(
  context: TypeContext,
  scope: Scope,
  node: TSIndexedAccessType,
): Type | undefined {
  const at = placeOf(scope, node);
  const object = context.reduce(scope, node.objectType);
  const index = context.reduce(scope, node.indexType);
  if (!object || !index) return undefined;
  const name = describeNode(scope, node.objectType);
  const results: Part[] = [];
  for (const key of membersOf({ type: index, at: placeOf(scope, node.indexType) })) {
    for (const { type } of membersOf({ type: object, at: placeOf(scope, node.objectType) })) {
      const result = access(context, type, key, name, at);
      if (!result) return undefined;
      results.push({ type: result, at });
    }
  }
  consumePropertyTags(object);
  return unionOf(results, at);
}

function access(
  context: TypeContext,
  object: Type,
  { type: key, at: keyAt }: Part,
  name: string,
  at: Place,
): Type | undefined {
  if (object.kind === 'list') {
    if (key.kind === 'number') return elementsOf(object);
    const element = key.kind === 'literal' && object.isTuple ? object.elements[Number(key.value)] : undefined;
    if (element) return element.type();
  }
  const isString = key.kind === 'scalar' && key.schema.type === 'string';
  const isText = isString || (key.kind === 'literal' && typeof key.value === 'string');
  if (object.kind === 'map' && isText) return object.values();
  if (object.kind === 'object' && key.kind === 'literal') {
    const property = object.properties.get(String(key.value));
    if (property) return propertyType(property, at);
    if (object.broken) return undefined;
    return failKey(context, String(key.value), object.properties.keys(), name, keyAt);
  }
  const message = `${name} cannot be asked for this`;
  const hint = "write Foo['bar'] for the type of a property, Foo[number] for that of the items of a list";
  return context.fail(keyAt, 'unsupported-type', message, hint);
}

/** Reports a name that is not a property, with a suggestion. */
export function failKey(
  context: TypeContext,
  key: string,
  names: Iterable<string>,
  object: string,
  at: Place,
): undefined {
  const all = [...names];
  const suggestion = closestName(key, all);
  const hint = suggestion
    ? `did you mean '${suggestion}'?`
    : `it has ${all.slice(0, 20).join(', ') || 'none'}`;
  return context.fail(at, 'unknown-property', `${object} has no property '${key}'`, hint);
}

/**
 * Returns the type of a property as TypeScript sees it: including `undefined` if the property can be missing.
 */
function propertyType(property: Property, at: Place): Type | undefined {
  const type = property.type();
  if (!type) return undefined;
  const bare = withLayer(type, indexed);
  if (!property.optional) return bare;
  const missing: Part = { type: { kind: 'undefined', at }, at };
  return { kind: 'union', at, members: [{ type: bare, at }, missing], broken: false };
}

function elementsOf({ elements, at }: ListType): Type | undefined {
  const types = elements.map((element) => ({ type: element.type(), at: element.at }));
  const members = types.filter((part): part is Part => part.type !== undefined);
  return members.length < types.length ? undefined : unionOf(members, at);
}
