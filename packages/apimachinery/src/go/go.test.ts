import { describe, expect, test } from 'vitest';
import { formatDouble, formatPlainDouble } from './format-double.ts';
import { goQuote } from './go-quote.ts';
import { isUrl, parseUrl } from './parse-url.ts';

test.each([
  ['plain', '"plain"'],
  ['a"b\\c', String.raw`"a\"b\\c"`],
  ['\u0007\t\n', String.raw`"\a\t\n"`],
  ['é 漢 😀', '"é 漢 😀"'],
  ['\0\u007f', String.raw`"\x00\x7f"`],
  ['\u200b\u{e0001}', String.raw`"\u200b\U000e0001"`],
])('%j is quoted as Go does', (text, quoted) => {
  expect(goQuote(text)).toBe(quoted);
});

describe('doubles are written as Go does', () => {
  test.each([
    [0, '0', '0'],
    [-0, '-0', '-0'],
    [1.5, '1.5', '1.5'],
    [100_000, '100000', '100000'],
    [1_000_000, '1e+06', '1000000'],
    [0.0001, '0.0001', '0.0001'],
    [0.000_01, '1e-05', '0.00001'],
    [Number.NaN, 'NaN', 'NaN'],
    [-Infinity, '-Inf', '-Inf'],
  ])('%d', (value, short, plain) => {
    expect(formatDouble(value)).toBe(short);
    expect(formatPlainDouble(value)).toBe(plain);
  });
});

describe('URLs are parsed as Go does', () => {
  test('the parts', () => {
    expect(parseUrl('HTTPS://user@example.com:8080/a b?x=1#f')).toStrictEqual({
      scheme: 'https',
      host: 'example.com:8080',
      escapedPath: '/a%20b',
      query: 'x=1',
      text: 'https://user@example.com:8080/a%20b?x=1#f',
    });
  });

  test.each(['/path', '*', 'mailto:a@b', 'http://[::1%25eth0]:80/', 'http://é/'])('%s is one', (text) => {
    expect(isUrl(text)).toBe(true);
  });

  test.each(['', 'path', ':a', 'http://a:b/', 'http://[1.2.3.4]/', '/%zz', 'http://a b/', '/\n'])(
    '%j is not one',
    (text) => {
      expect(isUrl(text)).toBe(false);
    },
  );
});
