import type { ScalarTag } from 'yaml';
import { type ExactInteger, exactInteger, isInt64 } from '../json/exact-integer.ts';

/** Scalars as kube-apiserver's library reads them: mostly YAML 1.1, but dates and sexagesimals are strings. */
export const yamlScalars: readonly ScalarTag[] = [
  scalar('null', /^(?:~|[Nn]ull|NULL)?$/, () => null),
  scalar('bool', /^(?:[Yy]|[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON)$/, () => true),
  scalar('bool', /^(?:[Nn]|[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/, () => false),
  scalar(
    'int',
    /^[-+]?(?:0_*|0_*[0-7][0-7_]*|[1-9][\d_]*|0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+)$/,
    integerOf,
  ),
  scalar('float', /^[-+]?(?:\.\d[\d_]*|\d[\d_]*(?:\.[\d_]*)?)(?:[eE][-+]?\d+)?$/, (text) =>
    Number(text.replaceAll('_', '')),
  ),
];

/** A real server reads binary values as strings. */
export const yamlBinary: ScalarTag = {
  tag: 'tag:yaml.org,2002:binary',
  resolve(text, onError) {
    const plain = text.replaceAll(/[\r\n]/g, '');
    if (!isBase64(plain)) onError('!!binary value contains invalid base64 data');
    return Buffer.from(plain, 'base64').toString('utf8');
  },
};

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && /^[\dA-Za-z+/]*={0,2}$/.test(text);
}

function scalar(name: string, test: RegExp, resolve: (text: string) => unknown): ScalarTag {
  return { tag: `tag:yaml.org,2002:${name}`, default: true, test, resolve };
}

/** A leading zero makes it octal. */
function integerOf(text: string): ExactInteger {
  const digits = text.replaceAll('_', '').replace(/^[-+]/, '');
  const literal = /^0[0-7]+$/.test(digits) ? `0o${digits.slice(1)}` : digits;
  const sign = text.startsWith('-') ? -1 : 1;
  const number = sign * Number(literal);
  if (Number.isSafeInteger(number) || literal.length > maxIntegerLength) return number;
  const value = BigInt(sign) * BigInt(literal);
  return isInt64(value) ? exactInteger(value) : number;
}

/** 64 binary digits and the prefix; leading zeros do not earn more. */
const maxIntegerLength = 66;
