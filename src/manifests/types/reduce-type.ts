import type { TSType } from 'oxc-parser';
import { indexedAccessType } from './indexed-access.ts';
import { intersectionType } from './intersection-type.ts';
import { keyofType } from './keyof-type.ts';
import { listOf, tupleType } from './list-type.ts';
import { literalValue } from './literal-value.ts';
import { mappedType } from './mapped-type.ts';
import { objectType } from './object-type.ts';
import { openKeyword } from './open-keyword.ts';
import { importedType, referenceType } from './reference-type.ts';
import { templateType } from './template-pattern.ts';
import { placeOf } from './type.ts';
import type { Scope, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';
import { typeofType } from './typeof-type.ts';
import { unionType } from './union-type.ts';
import { adviceForSyntax } from './unsupported-types.ts';

/** Finds out what a type written in a scope is, as far as TypeScript's type operators need to know. */
export function reduceType(context: TypeContext, scope: Scope, node: TSType): Type | undefined {
  const at = placeOf(scope, node);
  switch (node.type) {
    case 'TSStringKeyword':
      return { kind: 'scalar', at, schema: { type: 'string' } };
    case 'TSBooleanKeyword':
      return { kind: 'scalar', at, schema: { type: 'boolean' } };
    case 'TSNumberKeyword':
      return { kind: 'number', at };
    case 'TSNullKeyword':
      return { kind: 'null', at };
    case 'TSUndefinedKeyword':
      return { kind: 'undefined', at };
    case 'TSNeverKeyword':
      return { kind: 'never', at };
    case 'TSUnknownKeyword':
      return openKeyword('unknown', at);
    case 'TSAnyKeyword':
      return openKeyword('any', at);
    case 'TSObjectKeyword':
      return openKeyword('object', at);
    case 'TSLiteralType': {
      const value = literalValue(node.literal);
      if (value !== undefined) return { kind: 'literal', at, value };
      return context.fail(at, 'unsupported-type', 'this literal has no schema', 'write a string or a number');
    }
    case 'TSParenthesizedType':
      return context.reduce(scope, node.typeAnnotation);
    case 'TSArrayType':
      return listOf(context, scope, node.elementType, at);
    case 'TSTupleType':
      return tupleType(context, scope, node);
    case 'TSTypeLiteral':
      return objectType(context, scope, node.members, at);
    case 'TSUnionType':
      return unionType(context, scope, node);
    case 'TSIntersectionType':
      return intersectionType(context, scope, node);
    case 'TSTypeReference':
      return referenceType(context, scope, node);
    case 'TSImportType':
      return importedType(context, scope, node);
    case 'TSIndexedAccessType':
      return indexedAccessType(context, scope, node);
    case 'TSMappedType':
      return mappedType(context, scope, node);
    case 'TSTemplateLiteralType':
      return templateType(context, scope, node);
    case 'TSTypeQuery':
      return typeofType(context, scope, node);
    case 'TSTypeOperator':
      if (node.operator === 'keyof') return keyofType(context, scope, node.typeAnnotation, at);
      if (node.operator === 'readonly') return context.reduce(scope, node.typeAnnotation);
      break;
  }
  const { message, hint } = adviceForSyntax(node.type);
  return context.fail(at, 'unsupported-type', message, hint);
}
