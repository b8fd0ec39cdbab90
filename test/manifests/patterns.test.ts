import { PatternError, matchesPattern, parsePattern } from 'ots-cel';
import { describe, expect, test } from 'vitest';

// The answers are those of Go's regexp package.
describe('a pattern of the API server', () => {
  test.each([
    ['^a+$', 'aaa', true],
    ['^a+$', 'aab', false],
    ['b', 'abc', true],
    ['', '', true],
    ['a|b|', 'c', true],
    ['^(?:a|bc)*d?$', 'abcad', true],
    ['^a{2,3}$', 'aaaa', false],
    ['^a{2,}$', 'aaaa', true],
    ['^a{,2}$', 'a{,2}', true],
    ['^a{01}$', 'a{01}', true],
    ['^.$', '\n', false],
    ['(?s)^.$', '\n', true],
    ['^.$', '😀', true],
    ['(?i)^ABC$', 'aBc', true],
    ['(?i:A)b', 'aB', false],
    ['(?m)^b$', 'a\nb\nc', true],
    ['^b$', 'a\nb\nc', false],
    ['^[[:alpha:]_]+[^[:^digit:]]$', 'a_b1', true],
    ['^[]a-c-]+$', ']b-', true],
    ['^[^\\d\\s]$', '1', false],
    ['^\\pL\\p{Greek}\\P{Lu}$', 'xαy', true],
    ['^\\Qa.b*\\E+$', 'a.b**', true],
    ['\\bfoo\\b', 'a foo b', true],
    ['\\Boo', 'foo', true],
    ['\\Aa\\z', 'a', true],
    ['^\\x41\\x{1F600}\\101\\.\\_\\n$', 'A😀A._\n', true],
    ['^(?P<n>a)(?<m>b)$', 'ab', true],
    ['^(a|aa)+$', 'a'.repeat(2000), true],
    ['^(?<n>a)(?<n>b)$', 'ab', true],
    [`^${'('.repeat(300)}a${')'.repeat(300)}$`, 'a', true],
    ['^(a+)+$', `${'a'.repeat(2000)}!`, false],
    ['^(a?){500}$', 'a'.repeat(500), true],
  ])('%s on %j: %s', (pattern, text, expected) => {
    expect(matchesPattern(pattern, text)).toBe(expected);
  });

  test.each([
    ['(?=a)', /no lookahead/],
    ['(?!a)', /no lookahead/],
    ['(?<=a)', /no lookahead/],
    ['(?<!a)', /no lookahead/],
    ['(?>a)', /no lookahead/],
    ['(a)\\1', /backreferences/],
    ['a**', /repetition is repeated/],
    ['a++', /possessive/],
    ['a{2}{3}', /repetition is repeated/],
    ['*a', /nothing to repeat/],
    ['(|+)', /nothing to repeat/],
    ['a{1001}', /exceeds 1000 times/],
    ['(a{100}){100}', /exceed 1000 times/],
    ['a{3,2}', /runs backwards/],
    ['(a', /not closed/],
    ['a)', /without a \(/],
    ['[a', /not closed/],
    ['[]', /not closed/],
    ['[z-a]', /runs backwards/],
    ['[a-\\d]', /is not an escape/],
    ['[[:foo:]]', /is not a character class/],
    ['\\p{Foo}', /is not a Unicode class/],
    ['\\p{L', /not closed/],
    ['\\u0041', /\\x\{…\}/],
    ['\\Z', /\\z/],
    ['\\é', /is not an escape/],
    ['\\x4', /code point/],
    ['\\x{110000}', /code point/],
    ['a\\', /ends with a backslash/],
    ['('.repeat(1100) + ')'.repeat(1100), /nested too deeply/],
  ])('cannot be %s', (pattern, message) => {
    let said = '';
    try {
      parsePattern(pattern);
    } catch (error) {
      said = error instanceof PatternError ? `${error.message} ${error.hint}` : String(error);
    }
    expect(said).toMatch(message);
  });
});
