import type { LiteralValue } from '../ast.ts';
import { CelSyntaxError } from './cel-syntax-error.ts';
import type { Token } from './token.ts';
import { unquoteBytes, unquoteString } from './unquote.ts';

const maxInt = 2n ** 63n - 1n;
const maxUint = 2n ** 64n - 1n;

/**
 * @param token a token that may be a literal
 * @param negative whether a minus sign precedes it
 * @returns its value; undefined when it is not a literal
 * @throws CelSyntaxError for a number out of range, or an invalid escape
 */
export function parseLiteral(token: Token, negative: boolean): LiteralValue | undefined {
  switch (token.kind) {
    case 'int':
      return { type: 'int', value: int(token, negative) };
    case 'uint':
      return { type: 'uint', value: uint(token) };
    case 'double':
      return { type: 'double', value: double(token, negative) };
    case 'string':
      return { type: 'string', value: unquoteString(token) };
    case 'bytes':
      return { type: 'bytes', value: unquoteBytes(token) };
    case 'keyword':
      return keyword(token.text);
    default:
      return undefined;
  }
}

function int(token: Token, negative: boolean): bigint {
  const value = BigInt(token.text);
  if (value <= maxInt) return negative ? -value : value;
  if (negative && value === maxInt + 1n) return -value;
  throw new CelSyntaxError(
    `${token.text} is not an int`,
    'an int has 64 bits: write a uint (1u) or a double (1.0)',
    token,
  );
}

function uint(token: Token): bigint {
  const value = BigInt(token.text.slice(0, -1));
  if (value <= maxUint) return value;
  throw new CelSyntaxError(`${token.text} is not a uint`, 'a uint has 64 bits: write a double (1.0)', token);
}

function double(token: Token, negative: boolean): number {
  const value = Number(token.text);
  if (Number.isFinite(value)) return negative ? -value : value;
  throw new CelSyntaxError(`${token.text} is not a double`, 'a double goes up to about 1.8e308', token);
}

function keyword(text: string): LiteralValue | undefined {
  if (text === 'null') return { type: 'null' };
  return text === 'in' ? undefined : { type: 'bool', value: text === 'true' };
}
