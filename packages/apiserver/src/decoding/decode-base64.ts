import { DecodeError } from './decode-error.ts';

/**
 * Checks a text in standard base64. Skips line breaks, as Go does.
 *
 * @returns the text without line breaks
 * @throws {DecodeError} with the position of the first wrong byte
 */
export function decodeBase64(text: string): string {
  if (isCanonical(text)) return text;
  return Buffer.from(checked(text), 'base64').toString('base64');
}

function isCanonical(text: string): boolean {
  return text.length % 4 === 0 && /^[A-Za-z0-9+/]*$/.test(text);
}

/** Reads groups of four, as Go does, because Go reports the position where it stops. */
function checked(text: string): string {
  const bytes = Buffer.from(text);
  let digits = '';
  let at = 0;
  const skipBreaks = () => {
    while (bytes[at] === 10 || bytes[at] === 13) at += 1;
  };
  for (;;) {
    skipBreaks();
    if (at === bytes.length) {
      if (digits.length % 4 !== 0) throw corrupt(at - (digits.length % 4));
      return digits;
    }
    const character = String.fromCharCode(bytes[at]!);
    at += 1;
    if (/[A-Za-z0-9+/]/.test(character)) {
      digits += character;
      continue;
    }
    const place = digits.length % 4;
    if (character !== '=' || place < 2) throw corrupt(at - 1);
    skipBreaks();
    if (place === 2) {
      if (at === bytes.length) throw corrupt(bytes.length);
      if (bytes[at] !== 61) throw corrupt(at - 1);
      at += 1;
      skipBreaks();
    }
    if (at < bytes.length) throw corrupt(at);
    return digits;
  }
}

function corrupt(index: number): DecodeError {
  return new DecodeError(`illegal base64 data at input byte ${index}`);
}
