/** XML has no control characters but these, not even escaped, and no halves of surrogate pairs. */
const notInXml = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&#34;',
  "'": '&#39;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

/** A text as content or attribute of XML or HTML. U+FFFD replaces what XML cannot contain. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(notInXml, '\u{FFFD}')
    .replaceAll(/[&<>"'\t\n\r]/g, (character) => entities[character]!);
}
