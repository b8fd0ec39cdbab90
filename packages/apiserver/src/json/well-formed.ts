/**
 * Replaces unpaired escaped surrogates, as Go does: they are not text.
 *
 * @param text JSON, valid or not
 */
export function wellFormed(text: string): string {
  if (!/\\u[dD][89a-fA-F]/.test(text)) return text;
  return text.replaceAll(
    /\\(?:u(?<pair>d[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2})|u(?<half>d[89a-f][0-9a-f]{2})|[^])/gi,
    (escape: string, _pair: unknown, half: unknown) => (half === undefined ? escape : '\\ufffd'),
  );
}
