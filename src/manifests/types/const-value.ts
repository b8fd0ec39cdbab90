import type { Expression } from 'oxc-parser';
import type { ValueDeclaration } from '../source/module.ts';
import { literalValue } from './literal-value.ts';
import { lazy, placeOf } from './type.ts';
import type { ListType, Place, Property, Scope, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';

const literals = 'only strings, numbers, true and false, and lists and objects of these as const are read';

/** Bounds lists that spread each other, which can double with every step. */
const maxListItems = 10_000;

const readable: ReadonlySet<string> = new Set<Expression['type']>([
  'ArrayExpression',
  'ObjectExpression',
  'Identifier',
  'Literal',
  'TemplateLiteral',
  'UnaryExpression',
]);

/** Finds the type of another constant that a value refers to. */
export type FollowValue = (scope: Scope, name: string, at: Place) => Type | undefined;

/** What the parts of a value need to be read. */
interface Reader {
  readonly context: TypeContext;
  readonly scope: Scope;
  readonly follow: FollowValue;
}

/**
 * Returns the type of a `const` whose value is a literal, or a list or object of literals `as const`.
 * @param at where the constant is referred to
 */
export function constValue(
  context: TypeContext,
  { module, name, init }: ValueDeclaration,
  at: Place,
  follow: FollowValue,
): Type | undefined {
  const scope = context.scopeOf(module);
  const { expression, isConst } = withoutAssertions(init);
  if (!isConst && (expression.type === 'ArrayExpression' || expression.type === 'ObjectExpression')) {
    const message = `the values of ${name} are not part of its type`;
    const hint = `write as const behind the value of ${name}`;
    return context.fail(placeOf(scope, init), 'unsupported-type', message, hint);
  }
  if (readable.has(expression.type)) return literalType({ context, scope, follow }, expression);
  return context.fail(at, 'unsupported-type', `the value of ${name} is computed`, literals);
}

function literalType(reader: Reader, expression: Expression): Type | undefined {
  const { context, scope, follow } = reader;
  const at = placeOf(scope, expression);
  switch (expression.type) {
    case 'ArrayExpression':
      return listType(reader, expression.elements, at);
    case 'ObjectExpression':
      return objectType(reader, expression.properties, at);
    case 'Identifier':
      return follow(scope, expression.name, at);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return literalType(reader, withoutAssertions(expression).expression);
    case 'Literal':
    case 'TemplateLiteral':
    case 'UnaryExpression': {
      const value = literalValue(expression as Parameters<typeof literalValue>[0]);
      if (value !== undefined) return { kind: 'literal', at, value };
    }
  }
  return context.fail(at, 'unsupported-type', 'this value is computed', literals);
}

type Elements = Extract<Expression, { type: 'ArrayExpression' }>['elements'];
type Entries = Extract<Expression, { type: 'ObjectExpression' }>['properties'];

function listType(reader: Reader, items: Elements, at: Place): Type | undefined {
  const { context, scope } = reader;
  const elements: ListType['elements'][number][] = [];
  for (const item of items) {
    if (item?.type === 'SpreadElement') {
      const spread = literalType(reader, item.argument);
      if (!spread) return undefined;
      if (spread.kind === 'list') {
        for (const element of spread.elements) elements.push(element);
        if (elements.length <= maxListItems) continue;
        const message = `the list has more than ${maxListItems} items`;
        return context.fail(at, 'unsupported-type', message, 'write string');
      }
    }
    if (!item || item.type === 'SpreadElement')
      return context.fail(at, 'unsupported-type', 'this list cannot be read', 'write its items out');
    const type = lazy(() => literalType(reader, item));
    elements.push({ type, at: placeOf(scope, item) });
  }
  return {
    kind: 'list',
    at,
    isTuple: true,
    elements,
    minItems: elements.length,
    maxItems: elements.length,
  };
}

function objectType(reader: Reader, entries: Entries, at: Place): Type | undefined {
  const { context, scope } = reader;
  const properties = new Map<string, Property>();
  for (const entry of entries) {
    if (entry.type === 'SpreadElement') {
      const spread = literalType(reader, entry.argument);
      if (spread?.kind !== 'object')
        return (
          spread &&
          context.fail(at, 'unsupported-type', 'this object cannot be read', 'write its properties out')
        );
      for (const [name, property] of spread.properties) properties.set(name, property);
      continue;
    }
    const { key, value } = entry;
    const name =
      key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : undefined;
    if (name === undefined || entry.computed) {
      const place = placeOf(scope, key);
      return context.fail(place, 'unsupported-type', 'this name is computed', 'write it out');
    }
    const type = lazy(() => literalType(reader, value));
    properties.set(name, {
      name,
      optional: false,
      definite: false,
      at: placeOf(scope, key),
      typeAt: placeOf(scope, value),
      type,
      consumeTags() {},
    });
  }
  return { kind: 'object', at, properties, broken: false };
}

function withoutAssertions(init: Expression): { expression: Expression; isConst: boolean } {
  let expression = init;
  let isConst = false;
  while (expression.type === 'TSAsExpression' || expression.type === 'TSSatisfiesExpression') {
    const { typeAnnotation } = expression;
    isConst ||=
      expression.type === 'TSAsExpression' &&
      typeAnnotation.type === 'TSTypeReference' &&
      typeAnnotation.typeName.type === 'Identifier' &&
      typeAnnotation.typeName.name === 'const';
    expression = expression.expression;
  }
  return { expression, isConst };
}
