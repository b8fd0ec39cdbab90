/** Reads a whole number in decimal digits; undefined for a text that is none, or beyond 64 bits. */
export function parseInteger(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, value) === value ? Number(value) : undefined;
}
