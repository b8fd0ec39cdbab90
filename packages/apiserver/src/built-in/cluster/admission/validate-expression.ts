import type { CompiledExpression, ExpressionError } from 'ots-cel';
import { type FieldError, internal, invalid } from '../../../status/field-error.ts';

/** The error of an expression that does not compile. */
export function expressionErrors(
  compiled: CompiledExpression | ExpressionError,
  expression: string,
  field: string,
): FieldError[] {
  if (!('error' in compiled)) return [];
  const { error, isInternal } = compiled;
  return [isInternal ? internal(field, error) : invalid(field, expression, error)];
}
