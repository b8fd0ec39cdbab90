import type { TSTypeName, TSTypeQuery } from 'oxc-parser';
import type { ValueDeclaration } from '../source/module.ts';
import { constValue } from './const-value.ts';
import { describeNode } from './describe-node.ts';
import { enumMembers } from './enum-type.ts';
import { failKey } from './indexed-access.ts';
import { maxDepth } from '../schema/schema-size.ts';
import { placeOf } from './type.ts';
import type { Place, Property, Scope, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';

/** Evaluates `typeof CONST` for an enum or a const with a literal value. */
export function typeofType(context: TypeContext, scope: Scope, node: TSTypeQuery): Type | undefined {
  const at = placeOf(scope, node);
  const operand = node.exprName;
  if (operand.type === 'TSImportType')
    return context.fail(
      at,
      'unsupported-type',
      'typeof import() is not followed',
      'write an import statement above',
    );
  return valueType(context, scope, writtenValueName(operand), at);
}

/**
 * Returns the type of the constant that a name refers to.
 * @param seen the constants that led here, to detect constants that refer to each other in a cycle
 */
function valueType(
  context: TypeContext,
  scope: Scope,
  name: string,
  at: Place,
  seen: readonly ValueDeclaration[] = [],
): Type | undefined {
  const resolution = context.graph.resolveValue(scope.module, name);
  switch (resolution.kind) {
    case 'unreadable':
      return undefined;
    case 'missing':
      return context.fail(at, 'unknown-type', resolution.message, resolution.hint);
    case 'package':
    case 'unbound': {
      const hint = 'write the type out, or declare: const NAMES = [...] as const';
      return context.fail(at, 'unknown-type', `the value of ${name} is not known here`, hint);
    }
    case 'enum': {
      const { declaration, members } = resolution;
      const type = enumObject(context, declaration, at);
      return type && memberType(context, type, members, at);
    }
    default: {
      const { value, members } = resolution;
      const type = constantType(context, value, at, seen);
      return type && memberType(context, type, members, at);
    }
  }
}

function constantType(
  context: TypeContext,
  value: ValueDeclaration,
  at: Place,
  seen: readonly ValueDeclaration[],
): Type | undefined {
  const { values } = context;
  if (values.has(value)) return values.get(value);
  if (seen.includes(value) || seen.length >= maxDepth)
    return context.fail(at, 'recursive-type', `${value.name} is made from itself`, 'write its values out');
  const type = constValue(context, value, at, (scope, name, place) =>
    valueType(context, scope, name, place, [...seen, value]),
  );
  values.set(value, type);
  return type;
}

/** Returns the type of an enum as a value: an object of its members. */
function enumObject(
  context: TypeContext,
  declaration: Parameters<typeof enumMembers>[1],
  at: Place,
): Type | undefined {
  const { node } = declaration;
  const members = node.type === 'TSEnumDeclaration' && enumMembers(context, declaration, node);
  if (!members) return undefined;
  const properties = new Map(
    [...members].map(([name, type]): [string, Property] => [
      name,
      {
        name,
        optional: false,
        definite: false,
        at: type.at,
        typeAt: type.at,
        type: () => type,
        consumeTags() {},
      },
    ]),
  );
  return { kind: 'object', at, properties, broken: false };
}

function memberType(
  context: TypeContext,
  object: Type,
  names: readonly string[],
  at: Place,
): Type | undefined {
  let type: Type | undefined = object;
  for (const name of names) {
    if (type?.kind !== 'object')
      return context.fail(at, 'unknown-property', `there is no ${name} in this value`);
    const property: Property | undefined = type.properties.get(name);
    if (!property) return failKey(context, name, type.properties.keys(), describeNode(at, at.span), at);
    type = property.type();
  }
  return type;
}

function writtenValueName(name: TSTypeName): string {
  if (name.type === 'TSQualifiedName') return `${writtenValueName(name.left)}.${name.right.name}`;
  return name.type === 'Identifier' ? name.name : 'this';
}
