import type { TSType } from 'oxc-parser';
import { describeNode } from './describe-node.ts';
import { filterUnion } from './filter-union.ts';
import { failKey } from './indexed-access.ts';
import { layersOf, withLayers } from './layer.ts';
import { listOf } from './list-type.ts';
import { literalKeys } from './literal-keys.ts';
import { mapObjects } from './map-objects.ts';
import { mapOf } from './map-type.ts';
import { lazy, placeOf } from './type.ts';
import type { ObjectType, Place, Property, Scope, Type } from './type.ts';
import type { TypeArguments, TypeContext } from './type-context.ts';

interface Utility {
  /** The names of the type parameters, for messages. */
  readonly parameters: readonly string[];
  reduce(context: TypeContext, scope: Scope, nodes: readonly TSType[], at: Place): Type | undefined;
}

/** TypeScript's utility types. */
const utilities: ReadonlyMap<string, Utility> = new Map<string, Utility>([
  ['Array', list()],
  ['ReadonlyArray', list()],
  ['Record', { parameters: ['K', 'T'], reduce: reduceRecord }],
  ['Partial', modifier((property) => ({ ...property, optional: true, definite: false }))],
  ['Required', modifier((property) => ({ ...property, optional: false, definite: true }))],
  ['Readonly', { parameters: ['T'], reduce: (context, scope, [operand]) => context.reduce(scope, operand!) }],
  ['Pick', selection((name, keys) => keys.has(name))],
  ['Omit', selection((name, keys) => !keys.has(name))],
  ['Exclude', { parameters: ['T', 'U'], reduce: (...operands) => filterUnion('Exclude', ...operands) }],
  ['Extract', { parameters: ['T', 'U'], reduce: (...operands) => filterUnion('Extract', ...operands) }],
  ['NonNullable', { parameters: ['T'], reduce: (...operands) => filterUnion('NonNullable', ...operands) }],
]);

/**
 * Evaluates a utility type.
 * @returns `unknown` if TypeScript has no utility type of that name
 */
export function utilityType(
  context: TypeContext,
  scope: Scope,
  name: string,
  typeArguments: TypeArguments | null,
  at: Place,
): Type | 'unknown' | undefined {
  const utility = utilities.get(name);
  if (!utility) return 'unknown';
  const nodes = typeArguments?.params ?? [];
  const { parameters } = utility;
  if (nodes.length === parameters.length) return utility.reduce(context, scope, nodes, at);
  const count = `${parameters.length} type argument${parameters.length === 1 ? '' : 's'}`;
  const hint = `write ${name}<${parameters.join(', ')}>`;
  return context.fail(at, 'type-arguments', `${name} takes ${count}, not ${nodes.length}`, hint);
}

function list(): Utility {
  return { parameters: ['T'], reduce: (context, scope, [item], at) => listOf(context, scope, item!, at) };
}

/** `Record<string, T>` is a map. `Record<'a' | 'b', T>` is an object. */
function reduceRecord(
  context: TypeContext,
  scope: Scope,
  [key, value]: readonly TSType[],
  at: Place,
): Type | undefined {
  const keys = context.reduce(scope, key!);
  if (!keys) return undefined;
  if (keys.kind === 'scalar' && keys.schema.type === 'string') return mapOf(context, scope, value!, at);
  const names = literalKeys(context, keys, placeOf(scope, key!));
  if (!names) return undefined;
  const type = lazy(() => context.reduce(scope, value!));
  const typeAt = placeOf(scope, value!);
  const properties = new Map(
    [...names].map(([name, place]): [string, Property] => [
      name,
      { name, optional: false, definite: false, at: place, typeAt, type, consumeTags() {} },
    ]),
  );
  return { kind: 'object', at, properties, broken: false };
}

/**
 * Creates a utility that changes whether properties can be missing. Comments about the type as a whole still
 * apply.
 */
function modifier(change: (property: Property) => Property): Utility {
  return {
    parameters: ['T'],
    reduce(context, scope, [operand], at) {
      const type = context.reduce(scope, operand!);
      return mapObjects(context, type, describeNode(scope, operand!), placeOf(scope, operand!), (object) => {
        const properties = new Map(
          [...object.properties].map(([name, property]) => [name, change(property)] as const),
        );
        const changed: ObjectType = { kind: 'object', at, properties, broken: object.broken };
        return withLayers(changed, layersOf(object));
      });
    },
  };
}

/**
 * Creates a utility that leaves properties out. Comments about the type as a whole can refer to those
 * properties, so they are left out, too.
 */
function selection(isKept: (name: string, keys: ReadonlyMap<string, Place>) => boolean): Utility {
  return {
    parameters: ['T', 'K'],
    reduce(context, scope, [operand, key], at) {
      const type = context.reduce(scope, operand!);
      const keyType = context.reduce(scope, key!);
      const keys = keyType && literalKeys(context, keyType, placeOf(scope, key!));
      if (!type || !keys) return undefined;
      const name = describeNode(scope, operand!);
      if (type.kind !== 'object') {
        const [message, hint] =
          type.kind === 'union'
            ? [
                `${name} is a union, of which only the common properties would be left`,
                'use it on each of its members',
              ]
            : [`${name} has no properties`, 'use it with an interface or an object type'];
        return context.fail(placeOf(scope, operand!), 'unsupported-type', message, hint);
      }
      for (const [missing, place] of keys)
        if (!type.properties.has(missing) && !type.broken)
          failKey(context, missing, type.properties.keys(), name, place);
      const properties = new Map<string, Property>();
      for (const [each, property] of type.properties) {
        if (isKept(each, keys)) properties.set(each, property);
        else property.consumeTags();
      }
      return { kind: 'object', at, properties, broken: type.broken };
    },
  };
}
