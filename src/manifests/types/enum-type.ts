import type { Expression, TSEnumDeclaration } from 'oxc-parser';
import { closestName } from 'ots-apimachinery/closest-name';
import type { TypeDeclaration } from '../source/module.ts';
import { literalValue } from './literal-value.ts';
import type { LiteralType, Place, Type } from './type.ts';
import type { TypeContext } from './type-context.ts';
import { unionOf } from './union-type.ts';

/** Turns `enum E { A = 'a', B = 'b' }` into the union of its values. */
export function enumType(
  context: TypeContext,
  declaration: TypeDeclaration,
  node: TSEnumDeclaration,
): Type | undefined {
  const members = enumMembers(context, declaration, node);
  const at = { module: declaration.module, span: declaration.nameSpan };
  return (
    members &&
    unionOf(
      [...members.values()].map((type) => ({ type, at: type.at })),
      at,
    )
  );
}

/** Returns the type of `E.A`. */
export function enumMember(
  context: TypeContext,
  declaration: TypeDeclaration,
  name: string,
  at: Place,
): Type | undefined {
  const { node } = declaration;
  const members = node.type === 'TSEnumDeclaration' && enumMembers(context, declaration, node);
  if (!members) return undefined;
  const member = members.get(name);
  if (member) return member;
  const suggestion = closestName(name, members.keys());
  const hint = suggestion ? `did you mean ${suggestion}?` : `it has ${[...members.keys()].join(', ')}`;
  return context.fail(at, 'unknown-type', `${declaration.name} has no member ${name}`, hint);
}

/**
 * Returns the values of an enum by name.
 * @returns undefined after an error: a computed value, or strings beside numbers
 */
export function enumMembers(
  context: TypeContext,
  { module, name, nameSpan }: TypeDeclaration,
  node: TSEnumDeclaration,
): Map<string, LiteralType> | undefined {
  const members = new Map<string, LiteralType>();
  const fail = (span: Place['span'], message: string, hint: string) =>
    context.fail({ module, span }, 'unsupported-type', message, hint);
  let next: number | undefined = 0;
  for (const { id, initializer, start, end } of node.body.members) {
    const key = id.type === 'Identifier' ? id.name : id.type === 'Literal' ? id.value : undefined;
    const value: string | number | undefined = initializer ? constantOf(initializer) : next;
    if (key === undefined || value === undefined) {
      const message = `a value of the enum ${name} is computed`;
      return fail(initializer ?? { start, end }, message, `write a literal: A = 'a'`);
    }
    const at = { module, span: { start, end } };
    members.set(key, { kind: 'literal', at, value });
    next = typeof value === 'number' ? value + 1 : undefined;
  }
  if (members.size === 0) return fail(nameSpan, `the enum ${name} has no members`, 'write them');
  const types = new Set([...members.values()].map(({ value }) => typeof value));
  if (types.size === 1) return members;
  return fail(
    nameSpan,
    `the enum ${name} mixes strings and numbers`,
    'give all of its members values of one type',
  );
}

function constantOf(initializer: Expression): string | number | undefined {
  const isLiteral =
    initializer.type === 'Literal' ||
    initializer.type === 'TemplateLiteral' ||
    initializer.type === 'UnaryExpression';
  const value = isLiteral ? literalValue(initializer as Parameters<typeof literalValue>[0]) : undefined;
  return typeof value === 'boolean' ? undefined : value;
}
