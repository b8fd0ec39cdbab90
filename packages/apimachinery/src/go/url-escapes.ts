/** The parts of a URL; each allows different characters. */
export type UrlPart = 'path' | 'fragment' | 'query' | 'user' | 'host' | 'zone';

/** Characters that a host may contain unescaped, in addition to everything beyond ASCII. */
const hostCharacters = /[-A-Za-z0-9._~!$&'()*+,;=:[\]<>"]/;

/** Characters that `escapeUrl` does not escape. */
const plainCharacters: Readonly<Record<'path' | 'fragment', RegExp>> = {
  path: /[-A-Za-z0-9._~$&+,/:;=@]/,
  fragment: /[-A-Za-z0-9._~$&+,/:;=?@!()*]/,
};

/** Replaces the escapes `%xx`; undefined when one is not valid in that part of a URL. */
export function unescapeUrl(text: string, part: UrlPart): string | undefined {
  const isHost = part === 'host' || part === 'zone';
  const bytes: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character === '%') {
      const hex = text.slice(i + 1, i + 3);
      if (!/^[0-9A-Fa-f]{2}$/.test(hex)) return undefined;
      const byte = Number.parseInt(hex, 16);
      if (!isEscapable(byte, part)) return undefined;
      bytes.push(byte);
      i += 2;
    } else if (isHost && character < '\u{80}' && !hostCharacters.test(character)) {
      return undefined;
    } else if (character === '+' && part === 'query') {
      bytes.push(32);
    } else {
      const whole = String.fromCodePoint(text.codePointAt(i)!);
      bytes.push(...new TextEncoder().encode(whole));
      i += whole.length - 1;
    }
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(bytes));
}

/** Hosts may escape characters outside of ASCII; zones may escape any character. */
function isEscapable(byte: number, part: UrlPart): boolean {
  if (part !== 'host' && part !== 'zone') return true;
  if (byte === 0x25) return true;
  if (part === 'host') return byte >= 0x80;
  return byte === 32 || (byte < 0x80 && hostCharacters.test(String.fromCodePoint(byte)));
}

/** Writes a path or a fragment with escapes. */
export function escapeUrl(text: string, part: 'path' | 'fragment'): string {
  return Array.from(text, (character) => {
    if (character < '\u{80}' && plainCharacters[part].test(character)) return character;
    return Array.from(
      new TextEncoder().encode(character),
      (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`,
    ).join('');
  }).join('');
}
