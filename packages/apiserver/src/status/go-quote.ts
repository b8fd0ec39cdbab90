const names = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\u0007', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
]);

/** A text in quotes as Go's `strconv.Quote` writes it: what cannot be seen is escaped. */
export function goQuote(text: string): string {
  return `"${text.replaceAll(/["\\]|\p{C}|(?! )\p{Z}/gu, escape)}"`;
}

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  const wide = code < 0x10000 ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`;
  return names.get(character) ?? (code < 0x80 ? `\\x${hex.padStart(2, '0')}` : wide);
}
