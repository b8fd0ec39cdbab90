const ellipsis = '…';

/** The text, cut off at the end of a character so that it has at most `limit` bytes of UTF-8, the ellipsis included. */
export function cutBytes(text: string, limit: number): string {
  if (Buffer.byteLength(text) <= limit) return text;
  const room = limit - Buffer.byteLength(ellipsis);
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(room));
  return text.slice(0, read) + ellipsis;
}
