/** Parses a decimal integer; undefined for other texts, and beyond 64 bits. */
export function parseInteger(text: string): number | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace('+', ''));
  return BigInt.asIntN(64, value) === value ? Number(value) : undefined;
}
