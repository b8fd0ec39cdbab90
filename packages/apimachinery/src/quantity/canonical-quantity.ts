import { formatAmount } from './format-amount.ts';
import { type ParsedQuantity, parseQuantity, wrongQuantitySuffix } from './parse-quantity.ts';

/** The canonical form of a quantity, or what is wrong with it. */
export type CanonicalQuantity = { readonly text: string } | { readonly problem: string };

/**
 * Writes a quantity as Go does after it has read it.
 *
 * @returns the canonical form, or the text itself where Go considers it canonical; or a problem in Go's words
 */
export function canonicalQuantity(text: string): CanonicalQuantity {
  if (/^[1-9]\d{0,2}(?:m|Mi|Gi)?$/.test(text) && !/(?:[08]|[246])(?:Mi|Gi)$/.test(text)) return { text };
  const parsed = parseQuantity(text);
  if (typeof parsed === 'string') return { problem: parsed };
  const { value, scale, isSmall, form } = parsed;
  if (isSmall && isCanonical(parsed)) return { text };
  // Go works for minutes on a number that is not written out.
  if (!isSmall && scale > 0 && form === 'exponent' && value !== 0n) return { problem: wrongQuantitySuffix };
  return { text: formatAmount(value, scale, form) };
}

function isCanonical({ form, digits, scale }: ParsedQuantity): boolean {
  if (form === 'binary') return BigInt(digits) % 8n !== 0n;
  return scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}
