/** A text of somebody else as part of one line: what would break the line, or turn its direction, becomes a blank. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');
}
