const escapePattern = String.raw`\\(?:[abfnrtv"'\\?${'`'}]|[0-3][0-7]{2}|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;

/** All forms of a string literal, the longest first: `"""` only opens a multi-line text that is also closed. */
const stringPatterns = [
  String.raw`[rR]"""[^]*?"""`,
  String.raw`[rR]'''[^]*?'''`,
  String.raw`[rR]"[^"\n\r]*"`,
  String.raw`[rR]'[^'\n\r]*'`,
  String.raw`"""(?:${escapePattern}|[^\\])*?"""`,
  String.raw`'''(?:${escapePattern}|[^\\])*?'''`,
  String.raw`"(?:${escapePattern}|[^\\"\n\r])*"`,
  String.raw`'(?:${escapePattern}|[^\\'\n\r])*'`,
].join('|');

/** A string literal at `lastIndex`. */
export const stringLiteral = new RegExp(stringPatterns, 'y');

/** A bytes literal at `lastIndex`. */
export const bytesLiteral = new RegExp(`[bB](?:${stringPatterns})`, 'y');

/** The first invalid escape after the opening quote of an unterminated literal. */
export const unknownEscape = new RegExp(
  String.raw`^(?:${escapePattern}|[^\\\n])*?(\\(?!${escapePattern.slice(2)})[^]?)`,
);
