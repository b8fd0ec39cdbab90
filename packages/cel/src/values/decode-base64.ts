const lineBreaks = new Set(['\n', '\r']);

/**
 * Decodes base64 as the API server does for rules: with the URL alphabet, although its validation requires the
 * standard one.
 *
 * @returns the position of the first invalid byte, if there is one
 */
export function decodeBase64(text: string): Uint8Array | number {
  const wrong = firstFault(Buffer.from(text).toString('latin1'));
  if (wrong !== undefined) return wrong;
  return new Uint8Array(Buffer.from(text, 'base64url'));
}

/** Groups of four: an incomplete group is an error as a whole. */
function firstFault(bytes: string): number | undefined {
  let inGroup = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!;
    if (lineBreaks.has(byte)) continue;
    if (byte === '=') return faultOfPadding(bytes, at, inGroup);
    if (!/[\w-]/.test(byte)) return at;
    inGroup = (inGroup + 1) % 4;
  }
  return inGroup === 0 ? undefined : bytes.length - inGroup;
}

function faultOfPadding(bytes: string, at: number, inGroup: number): number | undefined {
  if (inGroup < 2) return at;
  let next = skipBreaks(bytes, at + 1);
  if (inGroup === 2) {
    if (next === bytes.length) return bytes.length;
    if (bytes[next] !== '=') return next - 1;
    next = skipBreaks(bytes, next + 1);
  }
  return next < bytes.length ? next : undefined;
}

function skipBreaks(bytes: string, at: number): number {
  let next = at;
  while (next < bytes.length && lineBreaks.has(bytes[next]!)) next++;
  return next;
}
