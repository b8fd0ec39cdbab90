import { CelSyntaxError } from './cel-syntax-error.ts';
import { bytesLiteral, stringLiteral, unknownEscape } from './string-patterns.ts';
import type { Token, TokenKind } from './token.ts';

const BLANK = /(?:[\t \r\n\f]|\/\/[^\n]*)+/y;
const IDENTIFIER = /[A-Za-z_][A-Za-z0-9_]*/y;
const QUOTED_IDENTIFIER = /`[A-Za-z0-9_.\-/ ]+`/y;
const UINT = /(?:0x[0-9a-fA-F]+|[0-9]+)[uU]/y;
const HEXADECIMAL = /0x[0-9a-fA-F]+/y;
const DOUBLE = /[0-9]*\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+/y;
const INT = /[0-9]+/y;
const SYMBOL = /==|!=|<=|>=|&&|\|\||[<>[\]{}().,\-!?:+*/%]/y;
const KEYWORDS = new Set(['in', 'true', 'false', 'null']);

/** In the order in which they are tried; a number is tried before the dot that it may begin with. */
const PATTERNS: readonly (readonly [TokenKind, RegExp])[] = [
  ['bytes', bytesLiteral],
  ['string', stringLiteral],
  ['identifier', IDENTIFIER],
  ['uint', UINT],
  ['int', HEXADECIMAL],
  ['double', DOUBLE],
  ['int', INT],
  ['symbol', SYMBOL],
  ['quoted-identifier', QUOTED_IDENTIFIER],
];

/**
 * Splits an expression into tokens, by the lexical rules of the CEL specification.
 * @param text the expression
 * @returns its tokens, blanks and comments left out; the last one is `end`
 * @throws CelSyntaxError for a character or a literal that the language does not have
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
  BLANK.lastIndex = offset;
  return BLANK.test(text) ? BLANK.lastIndex : offset;
}

function tokenAt(text: string, start: number): Token {
  for (const [kind, pattern] of PATTERNS) {
    pattern.lastIndex = start;
    const match = pattern.exec(text);
    if (!match) continue;
    const word = match[0];
    return { kind: KEYWORDS.has(word) ? 'keyword' : kind, text: word, start, end: start + word.length };
  }
  throw unknownToken(text, start);
}

const MISSPELT: Readonly<Record<string, string>> = {
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
  const hint = MISSPELT[character] ?? 'remove it, or put it in quotes when it belongs to a string';
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
