/** The most frequent line ending of a text; `\n` for a text without any. */
export function lineEndingOf(text: string): '\n' | '\r\n' {
  const all = text.split('\n').length - 1;
  const windows = text.split('\r\n').length - 1;
  return windows * 2 > all ? '\r\n' : '\n';
}
