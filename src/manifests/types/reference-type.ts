import type { TSImportType, TSImportTypeQualifier, TSTypeName, TSTypeReference } from 'oxc-parser';
import { closestName } from 'ots-apimachinery/closest-name';
import type { Resolution } from '../source/module-graph.ts';
import { adviceForPackageType } from './advice-for-package-type.ts';
import { builtinType, builtinTypeNames } from '../schema/builtin-types.ts';
import { enumMember } from './enum-type.ts';
import { isKubernetesObject } from './is-kubernetes-object.ts';
import { schemaType } from './schema-type.ts';
import { placeOf } from './type.ts';
import type { Place, Scope, Type } from './type.ts';
import type { TypeArguments, TypeContext } from './type-context.ts';
import { adviceForGlobal } from './unsupported-types.ts';
import { utilityType } from './utility-types.ts';

/** Evaluates `Name`, `Name<A, B>`, `namespace.Name` or `Enum.Member`. */
export function referenceType(context: TypeContext, scope: Scope, node: TSTypeReference): Type | undefined {
  const name = writtenTypeName(node.typeName);
  return reduceNamed(context, scope, name, node.typeArguments, placeOf(scope, node));
}

/** Evaluates `import('./file.ts').Name`. */
export function importedType(context: TypeContext, scope: Scope, node: TSImportType): Type | undefined {
  const at = placeOf(scope, node);
  if (!node.qualifier) {
    const hint = `write which of its types is meant: import('${node.source.value}').Name`;
    return context.fail(at, 'unsupported-type', 'a module is not a type', hint);
  }
  const name = writtenTypeName(node.qualifier);
  const resolution = context.graph.resolveImported(scope.module, node.source.value, name);
  if (resolution.kind === 'unbound') return undefined;
  return resolvedType(context, scope, resolution, node.typeArguments, at);
}

/** Returns the type of a name that is written in a scope. */
export function reduceNamed(
  context: TypeContext,
  scope: Scope,
  name: string,
  typeArguments: TypeArguments | null,
  at: Place,
): Type | undefined {
  const bound = scope.bindings.get(name);
  if (bound) return typeArguments ? failArguments(context, name, typeArguments, at) : bound();
  const resolution = context.graph.resolve(scope.module, name);
  if (resolution.kind !== 'unbound') return resolvedType(context, scope, resolution, typeArguments, at);
  const utility = utilityType(context, scope, name, typeArguments, at);
  return utility === 'unknown' ? failUnbound(context, name, at) : utility;
}

function resolvedType(
  context: TypeContext,
  scope: Scope,
  resolution: Exclude<Resolution, { kind: 'unbound' }>,
  typeArguments: TypeArguments | null,
  at: Place,
): Type | undefined {
  switch (resolution.kind) {
    case 'unreadable':
      return undefined;
    case 'missing':
      return context.fail(at, 'unknown-type', resolution.message, resolution.hint);
    case 'declaration': {
      const { declaration, member } = resolution;
      if (member !== undefined) return enumMember(context, declaration, member, at);
      return context.reduceDeclaration(declaration, scope, typeArguments, at);
    }
    default: {
      const { specifier, name } = resolution;
      if (typeArguments) return failArguments(context, name, typeArguments, at);
      if (isKubernetesObject(resolution)) return kubernetesObject(at);
      const schema = builtinType(specifier, name);
      if (schema) return schemaType(schema, at);
      const { message, hint } = adviceForPackageType(specifier, name);
      return context.fail(at, 'unknown-type', message, hint);
    }
  }
}

/** Returns the properties that every object has. Only kinds can have this type. */
function kubernetesObject(at: Place): Type {
  const string = { type: 'string' } as const;
  const metadata = builtinType('ots-kubernetes', 'ObjectMeta')!;
  const properties = new Map([
    ['apiVersion', string],
    ['kind', string],
    ['metadata', metadata],
  ]);
  const schema = { type: 'object' as const, properties, required: [...properties.keys()] };
  return { ...schemaType(schema, at), kindAt: at } as Type;
}

/** Reports type arguments for a type that takes none. */
function failArguments(
  context: TypeContext,
  name: string,
  { start, end }: TypeArguments,
  at: Place,
): undefined {
  const place = { module: at.module, span: { start, end } };
  return context.fail(place, 'type-arguments', `${name} takes no type arguments`, `write ${name}`);
}

/**
 * Reports a name that is neither declared nor imported: a TypeScript type that an API cannot use, or an
 * unknown name.
 */
function failUnbound(context: TypeContext, name: string, at: Place): undefined {
  const advice = adviceForGlobal(name);
  if (advice) return context.fail(at, 'unsupported-type', advice.message, advice.hint);
  const { module } = at;
  const builtins = builtinTypeNames('ots-runtime');
  const suggestion = closestName(name, [...module.types.keys(), ...module.imports.keys(), ...builtins]);
  const hint = builtins.includes(name)
    ? `import it: import type { ${name} } from 'ots-runtime'`
    : suggestion && `did you mean ${suggestion}?`;
  return context.fail(at, 'unknown-type', `there is no type ${name} in this file`, hint);
}

function writtenTypeName(name: TSTypeName | TSImportTypeQualifier): string {
  let suffix = '';
  let current = name;
  while (current.type === 'TSQualifiedName') {
    suffix = `.${current.right.name}${suffix}`;
    current = current.left;
  }
  return (current.type === 'Identifier' ? current.name : 'this') + suffix;
}
