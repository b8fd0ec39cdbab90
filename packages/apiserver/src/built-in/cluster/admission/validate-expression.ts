import type { CompiledExpression, ExpressionError } from 'ots-cel';
import { type FieldError, invalid } from '../../../status/field-error.ts';

/** The error of an expression that does not compile. */
export function expressionErrors(
  compiled: CompiledExpression | ExpressionError,
  expression: string,
  field: string,
): FieldError[] {
  return 'error' in compiled ? [invalid(field, expression, compiled.error)] : [];
}
