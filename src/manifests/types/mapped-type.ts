import type { TSMappedType, TSType } from 'oxc-parser';
import { describeNode } from './describe-node.ts';
import { fieldLayer, layersOf, withLayer, withLayers } from './layer.ts';
import { literalKeys } from './literal-keys.ts';
import { mapOf } from './map-type.ts';
import { mapObjects } from './map-objects.ts';
import { lazy, placeOf } from './type.ts';
import type { ObjectType, Place, Property, Scope, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';

const noDoc = { description: '', tags: [] };

/** Evaluates `{ [K in string]: T }`, `{ [K in 'a' | 'b']: T }` or `{ [K in keyof T]?: T[K] }`. */
export function mappedType(context: TypeContext, scope: Scope, node: TSMappedType): Type | undefined {
  const at = placeOf(scope, node);
  const { constraint, typeAnnotation: value } = node;
  if (!value)
    return context.fail(
      at,
      'unsupported-type',
      'the mapped type has no values',
      'write their type after a colon',
    );
  if (node.nameType) {
    const hint = 'write an interface with the names that are meant';
    return context.fail(
      placeOf(scope, node.nameType),
      'unsupported-type',
      'renaming keys is not supported',
      hint,
    );
  }
  if (constraint.type === 'TSTypeOperator' && constraint.operator === 'keyof') {
    const operand = constraint.typeAnnotation;
    const object = context.reduce(scope, operand);
    if (object?.kind === 'map') return mapOf(context, scope, value, at);
    return mapObjects(context, object, describeNode(scope, operand), placeOf(scope, operand), (source) =>
      mapProperties(context, scope, node, value, source, [...source.properties.keys()]),
    );
  }
  const keys = context.reduce(scope, constraint);
  if (!keys) return undefined;
  if (keys.kind === 'scalar' && keys.schema.type === 'string') return mapOf(context, scope, value, at);
  const names = literalKeys(context, keys, placeOf(scope, constraint));
  return names && mapProperties(context, scope, node, value, undefined, [...names.keys()]);
}

function mapProperties(
  context: TypeContext,
  scope: Scope,
  node: TSMappedType,
  value: TSType,
  source: ObjectType | undefined,
  names: readonly string[],
): Type | undefined {
  const at = placeOf(scope, node);
  const origin = indexedObject(context, scope, node, value);
  if (origin === 'failed') return undefined;
  const properties = new Map<string, Property>();
  for (const name of names) {
    const copied = origin?.properties.get(name);
    const template = copied ?? source?.properties.get(name);
    const property = copied ?? newProperty(context, scope, node, value, name, template);
    properties.set(name, withModifiers(property, node.optional, template));
  }
  const type: ObjectType = { kind: 'object', at, properties, broken: source?.broken ?? false };
  return origin && origin === source ? withLayers(type, layersOf(source)) : type;
}

/** Returns the T of `{ [K in …]: T[K] }`. Such properties are those of T, including their comments. */
function indexedObject(
  context: TypeContext,
  scope: Scope,
  node: TSMappedType,
  value: TSType,
): ObjectType | 'failed' | undefined {
  if (value.type !== 'TSIndexedAccessType') return undefined;
  const { indexType, objectType } = value;
  const isKey =
    indexType.type === 'TSTypeReference' &&
    indexType.typeName.type === 'Identifier' &&
    indexType.typeName.name === node.key.name;
  if (!isKey) return undefined;
  const type = context.reduce(scope, objectType);
  if (!type) return 'failed';
  return type.kind === 'object' ? type : undefined;
}

function newProperty(
  context: TypeContext,
  scope: Scope,
  node: TSMappedType,
  value: TSType,
  name: string,
  template: Property | undefined,
): Property {
  const at: Place = template?.at ?? placeOf(scope, node.key);
  const key: Type = { kind: 'literal', at: placeOf(scope, node.key), value: name };
  const bindings = new Map([...scope.bindings, [node.key.name, () => key]]);
  template?.consumeTags();
  const type = lazy(() => {
    const plain = context.reduce({ module: scope.module, bindings }, value);
    return plain && withLayer(plain, fieldLayer(noDoc, at, context.diagnostics, false));
  });
  const typeAt = placeOf(scope, value);
  return { name, optional: false, definite: false, at, typeAt, type, consumeTags() {} };
}

function withModifiers(
  property: Property,
  optional: TSMappedType['optional'],
  template: Property | undefined,
): Property {
  if (optional === '-') return { ...property, optional: false, definite: true };
  if (optional) return { ...property, optional: true, definite: false };
  return { ...property, optional: template?.optional ?? false };
}
