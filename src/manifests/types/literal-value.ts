import type { TSLiteral } from 'oxc-parser';

/** Returns the value of a literal type, or undefined if JSON cannot represent it. */
export function literalValue(literal: TSLiteral): string | number | boolean | undefined {
  if (literal.type === 'Literal') {
    const { value } = literal;
    const isJson = typeof value === 'string' || Number.isFinite(value) || typeof value === 'boolean';
    return isJson ? (value as string | number | boolean) : undefined;
  }
  if (literal.type === 'TemplateLiteral') {
    return literal.expressions.length === 0 ? (literal.quasis[0]?.value.cooked ?? undefined) : undefined;
  }
  const { operator, argument } = literal;
  if (argument.type !== 'Literal' || typeof argument.value !== 'number' || !Number.isFinite(argument.value))
    return undefined;
  return operator === '-' ? -argument.value : operator === '+' ? argument.value : undefined;
}
