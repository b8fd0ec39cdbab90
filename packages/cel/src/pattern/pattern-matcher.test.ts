import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compilePattern } from './compile-pattern.ts';
import { PatternMatcher } from './pattern-matcher.ts';
import { searchPattern } from './search-pattern.ts';

const enough = () => ({ left: 5_000_000 });

/** Patterns without syntax that JavaScript interprets differently. */
const sharedPattern = fc.letrec<{ pattern: string }>((tie) => ({
  pattern: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('a', 'b', 'ä', '[ab]', '[^a]', '\\d', '\\W', '\\b', '\\B', '^', '$', '\\pL', '\\PL', ''),
    fc.array(tie('pattern'), { minLength: 2, maxLength: 4 }).map((parts) => parts.join('')),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `(?:${a}|${b})`),
    fc
      .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '*?', '{2}', '{0,3}', '{1,}'))
      .map(([a, times]) => `(?:${a})${times}`),
  ),
})).pattern;

const text = fc
  .array(fc.constantFrom('a', 'b', 'ä', '1', ' ', '\n', '\u{1f600}'), { maxLength: 9 })
  .map((parts) => parts.join(''));

describe('a matcher', () => {
  test('agrees with JavaScript where both have the same syntax', () => {
    fc.assert(
      fc.property(sharedPattern, fc.array(text, { minLength: 1, maxLength: 5 }), (pattern, texts) => {
        const matcher = PatternMatcher.compile(pattern)!;
        const native = new RegExp(pattern.replaceAll(/\\([pP])L/g, '\\$1{L}'), 'u');
        for (const each of texts) expect(matcher.matches(each, enough())).toBe(native.test(each));
      }),
    );
  });

  test('finds a match exactly where a search finds one', () => {
    const flags = fc.constantFrom('', '(?i)', '(?m)', '(?s)', '(?U)', '(?im-s)');
    const pattern = fc.tuple(flags, sharedPattern, fc.constantFrom('', '.', '\\z', '(?m:$)', '[[:^alpha:]]'));
    fc.assert(
      fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 5 }), (parts, texts) => {
        const source = parts.join('');
        const matcher = PatternMatcher.compile(source)!;
        for (const each of texts) {
          const characters = Array.from(each, (character) => character.codePointAt(0)!);
          const found = searchPattern(compilePattern(source)!, characters, 0, true, enough());
          expect(matcher.matches(each, enough())).toBe(found !== undefined);
        }
      }),
    );
  });

  test.each(['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', 'a*a*a*a*a*a*b', '(?:a?){30}a{30}b', '^(?:a*b?)*c$'])(
    'needs few steps for %s, however long the text',
    (pattern) => {
      const matcher = PatternMatcher.compile(pattern)!;
      const budget = { left: 100_000 };
      expect(matcher.matches(`${'a'.repeat(1_000_000)}!`, budget)).toBe(false);
      expect(budget.left).toBeGreaterThan(0);
    },
  );

  test('is given up when it takes too many steps', () => {
    // After each character it matters which of the last thousand were an a.
    const matcher = PatternMatcher.compile('^(?:a|b)*a(?:a|b){999}c$')!;
    const random = Array.from({ length: 200_000 }, (_, index) => ((index * index) % 7 < 3 ? 'a' : 'b')).join(
      '',
    );
    const budget = { left: 1_000_000 };
    expect(matcher.matches(random, budget)).toBeUndefined();
    expect(budget.left).toBeGreaterThan(-10_000);
  });

  test('continues after its cache was dropped', () => {
    const matcher = PatternMatcher.compile('(?:a|b)*a(?:a|b){12}c$')!;
    const word = (bits: number) =>
      Array.from({ length: 14 }, (_, bit) => ((bits >> bit) & 1 ? 'a' : 'b')).join('');
    for (let bits = 0; bits < 2 ** 14; bits += 1) {
      expect(matcher.matches(`${word(bits)}c`, enough())).toBe(word(bits)[1] === 'a');
    }
  });

  test('folds cases as Go does', () => {
    const matches = (pattern: string, each: string) =>
      PatternMatcher.compile(pattern)!.matches(each, enough());
    expect(['s', 'S', '\u017f'].map((each) => matches('^(?i)s$', each))).toEqual([true, true, true]);
    expect(['k', '\u212a'].map((each) => matches('^(?i)\u212a$', each))).toEqual([true, true]);
    expect(['a', 'A', 'b'].map((each) => matches('^(?i)[^a]$', each))).toEqual([false, false, true]);
    expect(['\u017f', '-'].map((each) => matches('^(?i)\\W$', each))).toEqual([false, true]);
    expect(['a', 'A', '1'].map((each) => matches('^(?i)\\p{Lu}$', each))).toEqual([true, true, false]);
  });
});
