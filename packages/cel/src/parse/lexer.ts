import { CelSyntaxError } from './cel-syntax-error.ts';
import { bytesLiteral, stringLiteral, unknownEscape } from './string-patterns.ts';
import type { Token, TokenKind } from './token.ts';

const blankPattern = /(?:[\t \r\n\f]|\/\/[^\n]*)+/y;
const identifierPattern = /[A-Za-z_][A-Za-z0-9_]*/y;
const quotedIdentifierPattern = /`[A-Za-z0-9_.\-/ ]+`/y;
const uintPattern = /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/y;
const hexadecimalPattern = /0x[0-9a-fA-F]+/y;
const doublePattern = /[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+/y;
const intPattern = /[0-9]+/y;
const symbolPattern = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;
const keywords = new Set(['in', 'true', 'false', 'null']);

/** In the order in which they are tried; a number is tried before the dot that it may begin with. */
const patterns: readonly (readonly [TokenKind, RegExp])[] = [
  ['bytes', bytesLiteral],
  ['string', stringLiteral],
  ['identifier', identifierPattern],
  ['uint', uintPattern],
  ['int', hexadecimalPattern],
  ['double', doublePattern],
  ['int', intPattern],
  ['symbol', symbolPattern],
  ['quoted-identifier', quotedIdentifierPattern],
];

/**
 * Splits an expression into tokens, by the lexical rules of the CEL specification.
 *
 * @param text the expression
 * @returns its tokens without whitespace and comments; the last one is `end`
 * @throws CelSyntaxError for an invalid character or literal
 */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let offset = skipBlanks(text, 0);
  while (offset < text.length) {
    const token = tokenAt(text, offset);
    tokens.push(token);
    offset = skipBlanks(text, token.end);
  }
  tokens.push({ kind: 'end', text: '', start: text.length, end: text.length });
  return tokens;
}

function skipBlanks(text: string, offset: number): number {
  blankPattern.lastIndex = offset;
  return blankPattern.test(text) ? blankPattern.lastIndex : offset;
}

function tokenAt(text: string, start: number): Token {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    if (!match) continue;
    const word = match[0];
    return { kind: keywords.has(word) ? 'keyword' : kind, text: word, start, end: start + word.length };
  }
  throw unknownToken(text, start);
}

const corrections: Readonly<Record<string, string>> = {
  '=': 'write "==" to compare; CEL has no assignment',
  '&': 'write "&&" for "and"',
  '|': 'write "||" for "or"',
  '#': 'a comment starts with "//"',
  ';': 'a rule is one expression: combine conditions with "&&"',
  '`': 'write a property name with its escapes instead, as in self.my__dash__name',
};

function unknownToken(text: string, start: number): CelSyntaxError {
  const character = String.fromCodePoint(text.codePointAt(start)!);
  if (character === '"' || character === "'") return brokenString(text, start, character);
  const hint = corrections[character] ?? 'remove it, or put it in quotes if it belongs to a string';
  return new CelSyntaxError(`unexpected character ${character}`, hint, {
    start,
    end: start + character.length,
  });
}

function brokenString(text: string, start: number, quote: string): CelSyntaxError {
  const rest = text.slice(start + 1);
  const escape = unknownEscape.exec(rest);
  const closing = rest.indexOf(quote);
  if (escape && (closing < 0 || escape.index + escape[0].length - escape[1]!.length < closing)) {
    const at = start + 1 + escape[0].length - escape[1]!.length;
    const hint = String.raw`write "\\" for a backslash, or a raw string: r'\d+'`;
    return new CelSyntaxError(`unknown escape ${escape[1]!} in a string`, hint, {
      start: at,
      end: at + escape[1]!.length,
    });
  }
  const line = rest.search(/[\r\n]/);
  const end = line < 0 ? text.length : start + 1 + line;
  return new CelSyntaxError(
    'a string that is not closed',
    `close it with ${quote} on the same line, or open and close it with ${quote.repeat(3)}`,
    { start, end },
  );
}
