import { canonicalQuantity } from 'ots-apimachinery/quantity/canonical-quantity';
import { malformedQuantity } from 'ots-apimachinery/quantity/parse-quantity';
import { isNumber, literalOf } from '../json/json-number.ts';
import { DecodeError } from './decode-error.ts';

/**
 * Decodes a quantity from a string or a number.
 *
 * @returns the canonical form that Go writes, or the original text where Go considers it canonical
 * @throws {DecodeError} when it is not a quantity
 */
export function decodeQuantity(value: unknown): string {
  if (typeof value === 'string') return decodeText(value.trim());
  if (isNumber(value)) return decodeText(literalOf(value));
  // Go reads the JSON text of anything else, which never has the form of an amount. It may be nested very deep.
  throw new DecodeError(malformedQuantity);
}

function decodeText(quantity: string): string {
  const canonical = canonicalQuantity(quantity);
  if ('problem' in canonical) throw new DecodeError(canonical.problem);
  return canonical.text;
}
