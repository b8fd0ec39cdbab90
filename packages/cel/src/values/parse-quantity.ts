import { parseQuantity as parse } from 'ots-apimachinery/quantity/parse-quantity';
import { CelEvaluationError } from './evaluation-error.ts';
import { Quantity } from './quantity.ts';

/**
 * Parses a quantity, rounding as the API server does.
 * @returns an error when the text is not a quantity
 */
export function parseQuantity(text: string): Quantity | CelEvaluationError {
  const parsed = parse(text);
  if (typeof parsed === 'string') return new CelEvaluationError(parsed);
  return new Quantity(parsed.value, parsed.scale, parsed.isSmall);
}
