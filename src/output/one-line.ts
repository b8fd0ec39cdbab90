/** A foreign text as part of one line: a blank replaces what would break the line or change its direction. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]+/gu, ' ');
}
