import { CelSyntaxError } from './cel-syntax-error.ts';
import { simpleEscapes } from './simple-escapes.ts';
import type { Token } from './token.ts';

const escapePattern = /\\(?:[xX]([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-3][0-7]{2})|([^]))/g;

/**
 * @param token a string literal
 * @returns its value
 * @throws CelSyntaxError for an escape that is not a Unicode character
 */
export function unquoteString(token: Token): string {
  const { body, raw } = content(token.text);
  if (raw || !body.includes('\\')) return body;
  return body.replaceAll(
    escapePattern,
    (_, x?: string, u?: string, long?: string, octal?: string, simple?: string) => {
      if (simple !== undefined) return simpleEscapes[simple] ?? simple;
      const code = octal === undefined ? Number.parseInt((x ?? u ?? long)!, 16) : Number.parseInt(octal, 8);
      if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
        throw new CelSyntaxError(
          'an escape that is not a Unicode character',
          'write a code point up to 10FFFF that is not a surrogate',
          token,
        );
      }
      return String.fromCodePoint(code);
    },
  );
}

/**
 * @param token a bytes literal: its characters are UTF-8, its escapes single bytes
 * @returns the bytes
 * @throws CelSyntaxError for an escape of a Unicode character, which bytes do not support
 */
export function unquoteBytes(token: Token): Uint8Array {
  const { body, raw } = content(token.text.slice(1));
  const encoder = new TextEncoder();
  if (raw || !body.includes('\\')) return encoder.encode(body);
  const bytes: number[] = [];
  let last = 0;
  for (const match of body.matchAll(escapePattern)) {
    const [escape, x, u, long, octal, simple] = match;
    if (u !== undefined || long !== undefined) {
      throw new CelSyntaxError(
        `${escape} in bytes`,
        String.raw`write the bytes of the character, as in b'\xC3\xA9'`,
        token,
      );
    }
    bytes.push(...encoder.encode(body.slice(last, match.index)));
    if (simple === undefined)
      bytes.push(octal === undefined ? Number.parseInt(x!, 16) : Number.parseInt(octal, 8));
    else bytes.push((simpleEscapes[simple] ?? simple).charCodeAt(0));
    last = match.index + escape.length;
  }
  bytes.push(...encoder.encode(body.slice(last)));
  return Uint8Array.from(bytes);
}

/**
 * A line break in a literal is one `
 *
 * `, whatever the source has.
 */
function content(text: string): { readonly body: string; readonly raw: boolean } {
  const raw = text.startsWith('r') || text.startsWith('R');
  const quoted = (raw ? text.slice(1) : text).replaceAll(/\r\n?/g, '\n');
  const long = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''"));
  const width = long ? 3 : 1;
  return { body: quoted.slice(width, quoted.length - width), raw };
}
