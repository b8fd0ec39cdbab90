import type { TSTupleElement, TSTupleType, TSType } from 'oxc-parser';
import { lazy, placeOf } from './type.ts';
import type { ListType, Place, Scope, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';

/** Evaluates `T[]`. */
export function listOf(context: TypeContext, scope: Scope, element: TSType, at: Place): ListType {
  const type = lazy(() => context.reduce(scope, element));
  return { kind: 'list', at, isTuple: false, elements: [{ type, at: placeOf(scope, element) }] };
}

/** Evaluates `[T, T]`, also with optional elements and one `...T[]`: a list with bounds on its length. */
export function tupleType(context: TypeContext, scope: Scope, node: TSTupleType): Type | undefined {
  const at = placeOf(scope, node);
  const elements: ListType['elements'][number][] = [];
  let minItems = 0;
  let isOpen = false;
  for (const element of node.elementTypes) {
    const { type, presence } = readElement(element);
    if (!type) {
      const hint = 'write the elements out, or ...T[] for any number of them';
      return context.fail(placeOf(scope, element), 'unsupported-type', 'this cannot be spread', hint);
    }
    elements.push({ type: lazy(() => context.reduce(scope, type)), at: placeOf(scope, type) });
    if (presence === 'required') minItems++;
    if (presence === 'any number') isOpen = true;
  }
  if (elements.length === 0)
    return context.fail(at, 'unsupported-type', 'a tuple without elements has no schema', 'write T[]');
  const bounds = isOpen ? { minItems } : { minItems, maxItems: elements.length };
  return { kind: 'list', at, isTuple: true, elements, ...bounds };
}

function readElement(element: TSTupleElement): {
  type: TSType | undefined;
  presence: 'required' | 'optional' | 'any number';
} {
  if (element.type === 'TSOptionalType') return { type: element.typeAnnotation, presence: 'optional' };
  if (element.type === 'TSNamedTupleMember') {
    const inner = readElement(element.elementType);
    return element.optional ? { ...inner, presence: 'optional' } : inner;
  }
  if (element.type !== 'TSRestType') return { type: element, presence: 'required' };
  // The name of `...rest: T[]` is inside the rest type.
  const named = element.typeAnnotation;
  const spread = named.type === 'TSNamedTupleMember' ? named.elementType : named;
  return { type: elementOf(spread as TSType), presence: 'any number' };
}

/** Returns the T of `T[]`, `readonly T[]`, `Array<T>` and `ReadonlyArray<T>`. */
function elementOf(type: TSType): TSType | undefined {
  if (type.type === 'TSArrayType') return type.elementType;
  if (type.type === 'TSTypeOperator' && type.operator === 'readonly') return elementOf(type.typeAnnotation);
  if (type.type !== 'TSTypeReference' || type.typeName.type !== 'Identifier') return undefined;
  const isArray = type.typeName.name === 'Array' || type.typeName.name === 'ReadonlyArray';
  return isArray ? type.typeArguments?.params[0] : undefined;
}
